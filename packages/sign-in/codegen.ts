import type { Contract, ContractPart } from '@gateway/contract/codegen';
import { z } from 'zod';
import type { TokenEndpoints } from './declared.ts';

const key = 'x-tokens';

const path = z.string().startsWith('/');

const endpoints = z.strictObject({
  onlyIn: z.string().optional(),
  signIn: z.strictObject({ path, username: z.string(), password: z.string(), device: z.string().optional() }),
  refresh: z.strictObject({ path, token: z.string(), claims: z.record(z.string(), z.string()).default({}) }),
  answer: z.strictObject({ token: z.string(), refreshToken: z.string(), seconds: z.string().optional() }),
});

/** The key `x-tokens` of the security scheme: the endpoints that give tokens. They make no field of the graph. */
const signInContract: ContractPart = {
  name: 'sign-in',
  schemeKeys: { [key]: endpoints },
  mistakesIn(contract) {
    const { onlyIn } = declared(contract) ?? {};
    if (onlyIn === undefined || Object.hasOwn(contract.wire.dialects, onlyIn)) return [];
    return [`components.securitySchemes.${key}.onlyIn: x-wire.dialects has no ${onlyIn}`];
  },
  dataOf: declared,
};

export default signInContract;

function declared({ schemeKeys }: Contract): TokenEndpoints | undefined {
  return schemeKeys[key] as TokenEndpoints | undefined;
}
