import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

const fields = [
  {
    id: 'ALL',
    label: 'Moisture',
    label_en_us: 'Moisture',
    label_en_uk: 'Damp',
    label_fr: 'Humidité',
    label_ind: 'Air',
  },
  { id: 'DUTCH', label: '', label_en_us: '', label_en_uk: null, label_nl: 'Vocht' },
  { id: 'PLAIN', label: 'Number' },
  { id: 'NONE' },
];

describe('FormField.localized_label', () => {
  let proxy: FakeUpstream;
  let gateway: Gateway;
  beforeAll(async () => {
    proxy = await startFakeUpstream();
    proxy.respond = () => ({ status: 200, body: JSON.stringify({ id: 'C', forms: [{ id: 'F', fields }] }) });
    gateway = await startGateway({ upstreamUrl: proxy.url });
  });
  afterAll(async () => {
    await gateway.close();
    await proxy.close();
  });

  async function labels(language: string | undefined, header?: string): Promise<string[]> {
    const { data, errors } = await gateway.query(
      'query ($language: String) { company(id: "C") { forms { fields { localized_label(language: $language) } } } }',
      { language },
      { headers: { ...(header && { 'accept-language': header }) } },
    );
    expect(errors).toEqual([]);
    return data.company.forms[0].fields.map((field: { localized_label: string | null }) => field.localized_label);
  }

  test.each([
    ['fr', 'Humidité', 'Vocht'],
    ['fr-CH', 'Humidité', 'Vocht'],
    ['nl, fr;q=0.5', 'Humidité', 'Vocht'],
    ['en-GB', 'Damp', 'Vocht'],
    ['en-uk', 'Damp', 'Vocht'],
    ['en', 'Moisture', 'Vocht'],
    ['id', 'Air', 'Vocht'],
    ['ind', 'Air', 'Vocht'],
    ['de', 'Moisture', 'Vocht'],
    ['not a tag;;q=x', 'Moisture', 'Vocht'],
    ['', 'Moisture', 'Vocht'],
  ])('follows the language %j', async (language, all, dutch) => {
    expect(await labels(language)).toEqual([all, dutch, 'Number', null]);
  });

  test('is there if nothing else of the field of a submission is selected', async () => {
    await using proxy = await startFakeUpstream();
    const values = [
      { id: 'V', field: 'ALL', field_details: fields[0] },
      { id: 'W', field: 'LOST', field_details: null },
    ];
    proxy.respond = () => ({ status: 200, body: JSON.stringify({ id: 'F', submission: { id: 'S', values } }) });
    await using gateway = await startGateway({ upstreamUrl: proxy.url });

    const answer = await gateway.query('{ farmer(id: "F") { submission { values { field { localized_label } } } } }');

    expect(answer.data.farmer.submission.values).toEqual([{ field: { localized_label: 'Moisture' } }, { field: null }]);
    expect(answer.errors).toMatchObject([{ extensions: { code: 'REFERENCE_UNRESOLVED' } }]);
  });

  test('takes a long list of languages', async () => {
    expect(await labels(`fr${', x-'.repeat(50_000)}`)).toEqual(['Humidité', 'Vocht', 'Number', null]);
  });

  test('follows Accept-Language by default, and is English without it', async () => {
    expect(await labels(undefined, 'fr-FR, en;q=0.8')).toEqual(['Humidité', 'Vocht', 'Number', null]);
    expect(await labels('en-GB', 'fr')).toEqual(['Damp', 'Vocht', 'Number', null]);
    expect(await labels(undefined)).toEqual(['Moisture', 'Vocht', 'Number', null]);
  });
});

test('the gateway forwards Accept-Language, or sends the language of the settings', async () => {
  await using proxy = await startFakeUpstream();
  proxy.respond = () => ({ status: 200, body: '{"id":"C"}' });
  for (const [settings, heard] of [
    [{}, 'nl'],
    [{ UPSTREAM_LANGUAGE: 'fr' }, 'fr'],
    [{ FORWARD_HEADERS: '' }, undefined],
    [{ FORWARD_HEADERS: '', UPSTREAM_LANGUAGE: 'fr' }, 'fr'],
  ] as const) {
    await using gateway = await startGateway({ upstreamUrl: proxy.url, settings });
    await gateway.query('{ company(id: "C") { name } }', {}, { headers: { 'accept-language': 'nl' } });
    expect(proxy.requests.pop()?.headers['accept-language']).toBe(heard);
  }
});
