import { parse, print } from 'graphql';
import { typeDefs } from '../graphql/type-defs.ts';

// Printed from the document, not from the built schema: graphql's printSchema drops the uses of @length.
process.stdout.write(`${print(parse(typeDefs()))}\n`);
