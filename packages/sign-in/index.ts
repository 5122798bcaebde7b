export { pageSignIn } from './declared.ts';
export { signInFields } from './fields.ts';
export { type SignInOptions, signInRoute } from './route.ts';
