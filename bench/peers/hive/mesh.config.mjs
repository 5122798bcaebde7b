import { defineConfig } from '@graphql-mesh/compose-cli';
import { loadOpenAPISubgraph } from '@omnigraph/openapi';

/** TUNED=1 leaves the references to gateway.config.mjs. */
const isTuned = Boolean(process.env.TUNED);

export const composeConfig = defineConfig({
  subgraphs: [
    { sourceHandler: loadOpenAPISubgraph('rest', { source: './openapi.json', endpoint: process.env.UPSTREAM_URL }) },
  ],
  additionalTypeDefs: `
    extend type Farmer {
      ${reference('buyer', 'Company', 'company')}
      ${reference('creator', 'User', 'user')}
    }
    extend type ProductTransaction {
      ${reference('source', 'Farmer', 'farmer')}
      ${reference('destination', 'Company', 'company')}
      ${reference('creator', 'User', 'user')}
      product_ref: Product
    }`,
});

function reference(field, type, rootField) {
  if (isTuned) return `${field}_ref: ${type}`;
  return `${field}_ref: ${type} @resolveTo(
    sourceName: "rest", sourceTypeName: "Query", sourceFieldName: "${rootField}",
    requiredSelectionSet: "{ ${field} }", sourceArgs: { id: "{root.${field}}" })`;
}
