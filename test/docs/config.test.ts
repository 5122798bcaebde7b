import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';

test('settings have defaults, and an empty one counts as absent', () => {
  expect(readConfig({ PORT: '', MAX_PAGE_SIZE: '50' })).toMatchObject({
    PORT: 4000,
    MAX_PAGE_SIZE: 50,
    FORWARD_HEADERS: ['accept-language', 'auth-type'],
    FILTERS: {},
  });
  expect(readConfig({ FORWARD_HEADERS: '' }).FORWARD_HEADERS).toEqual([]);
  expect(readConfig({ FORWARD_HEADERS: 'X-A, x-b' }).FORWARD_HEADERS).toEqual(['x-a', 'x-b']);
});

test('all settings that cannot be used are named at once', () => {
  expect(() => readConfig({ PORT: 'abc', MAX_DEPTH: '0', UPSTREAM_URL: 'http://host/v1?x=1' })).toThrow(
    /PORT: .*\n.*UPSTREAM_URL: .*no query.*\n.*MAX_DEPTH: /,
  );
  expect(() => readConfig({ UPSTREAM_URL: 'ftp://host/v1' })).toThrow(/UPSTREAM_URL: must be an http or https URL/);
  expect(() => readConfig({ UPSTREAM_URL: 'http://me:hidden@host/v1' })).toThrow(
    /^These settings cannot be used:\n {2}UPSTREAM_URL: must hold no user name and no password$/,
  );
});

test('query parameters can be renamed, and a misspelt name is refused', () => {
  expect(readConfig({ FILTER_FARMERS_FIRST_NAME: 'first_name__icontains' }).FILTERS).toEqual({
    listFarmers: { first_name: 'first_name__icontains' },
  });
  expect(() => readConfig({ FILTER_FARMERS_NAME: 'x' })).toThrow(/No such settings: FILTER_FARMERS_NAME/);
});
