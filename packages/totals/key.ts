import { type Contract, type Endpoint, graphName } from '@gateway/contract/codegen';
import { z } from 'zod';

/** The key of a list that declares totals of its rows. */
export const key = 'x-totals';

const names = z.array(z.string()).default([]);

export const declaration = z.strictObject({
  groupBy: names,
  month: z.string().optional(),
  unit: z.string().optional(),
  sums: names,
  inside: z
    .array(z.strictObject({ field: graphName, of: z.string(), by: z.string(), sums: z.array(z.string()).min(1) }))
    .default([]),
  on: z
    .array(
      z.strictObject({
        type: z.string(),
        field: graphName,
        of: z.array(z.string()).min(1),
        by: z.string().optional(),
        description: z.string(),
      }),
    )
    .default([]),
  balances: z
    .array(
      z.strictObject({
        type: z.string(),
        field: graphName,
        in: z.string(),
        out: z.string(),
        of: z.string(),
        sum: z.string(),
        left: z.string().optional(),
        description: z.string(),
      }),
    )
    .default([]),
});

export type Declared = z.infer<typeof declaration>;

export function withTotals({ endpoints }: Contract): Endpoint[] {
  return endpoints.filter(({ keys }) => keys[key]);
}

export function declaredBy({ keys }: Endpoint): Declared {
  return keys[key] as Declared;
}
