import { describe, expect, test } from 'vitest';
import { identifiersOf, passagesOf } from './passages.ts';
import { findingsInIdentifier, findingsInPassage, retiredWords } from './rules.ts';

const retired = retiredWords('| **call** | One request. | seat, `Line` |\n');

describe('the prose checker', () => {
  test('finds comments, test names and messages of TypeScript', () => {
    const source = [
      '/**',
      ' * A list.',
      ' * @throws Error that says why.',
      ' */',
      'const rows = []; // Two rows.',
      "test('reads `rows`', () => { throw new Error('The list has no rows.'); });",
    ].join('\n');

    expect(passagesOf('a.ts', source)).toEqual([
      { line: 2, text: 'A list.' },
      { line: 4, text: 'that says why.' },
      { line: 5, text: 'Two rows.' },
      { line: 6, text: 'reads Span' },
      { line: 6, text: 'The list has no rows.' },
    ]);
  });

  test('finds paragraphs, items and cells of Markdown, and no code', () => {
    const source = '# Title\n\nOne [link](to.md)\nand more.\n\n- An item.\n\n```sh\ncode\n```\n| `a` | b |\n';

    expect(passagesOf('a.md', source).map(({ text }) => text)).toEqual([
      'Title',
      'One Span and more.',
      'An item.',
      'Span',
      'b',
    ]);
  });

  test('finds comments of YAML, and descriptions of GraphQL', () => {
    expect(passagesOf('a.yaml', 'a: "#1" # One.\n').map(({ text }) => text)).toEqual(['One.']);
    expect(passagesOf('a.graphql', '"""\nA farmer.\n"""\ntype Farmer').map(({ text }) => text)).toEqual(['A farmer.']);
  });

  test.each([
    ['The gateway sends it. So nobody waits.', /begin with "So"/],
    ['It ends.', /begin with "It"/],
    [`${'word '.repeat(21)}.`, /21 words/],
    ['All seats are taken.', /"seat" is retired/],
    ['… At most 10 characters.', /"…" waits for words/],
  ])('refuses: %s', (text, message) => {
    expect(findingsInPassage({ line: 1, text }, retired).map((finding) => finding.message)).toEqual([
      expect.stringMatching(message),
    ]);
  });

  test('accepts plain sentences, and questions', () => {
    expect(findingsInPassage({ line: 1, text: 'Reads in flight end. What remains?' }, retired)).toEqual([]);
  });

  test('refuses retired words as identifiers, alone or as a part', () => {
    const source = 'class Line { #firstSeat = 1; lines() {} }';
    const findings = identifiersOf('a.ts', source).flatMap((identifier) => findingsInIdentifier(identifier, retired));

    expect(findings.map(({ message }) => message)).toEqual(['"Line" is retired', '"seat" is retired: firstSeat']);
  });
});
