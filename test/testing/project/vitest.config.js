export default {
  test: { include: ['tests/*.vitest.ts'], setupFiles: ['traceability-graphql-gateway/testing/vitest'] },
};
