const { startGateway } = require('traceability-graphql-gateway/testing');

test('Jest runs an app over a gateway', async () => {
  const gateway = await startGateway();
  await gateway.fail('getCompany', 503);

  const { data, errors } = await gateway.graphql('{ farmers(limit: 1) { results { id buyer { name } } } }');

  expect(data.farmers.results).toHaveLength(1);
  expect(errors[0].extensions.code).toBe('UPSTREAM_UNAVAILABLE');
  await expect(gateway).toCostAtMost({ calls: 2 });
  await expect(expect(gateway).toCostAtMost({ calls: 1 })).rejects.toThrow('listFarmers');
  await gateway.stop();
});
