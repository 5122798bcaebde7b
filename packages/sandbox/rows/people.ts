import { asciiName, regions } from '../shared/regions.ts';

/** The n-th person of the seeds. Hundreds have different names. */
export function personOf(n: number) {
  const region = regions[n % regions.length]!;
  const round = Math.floor(n / regions.length);
  const { women, men, families } = region;
  const first = (round * 5) % (women.length + men.length);
  const isWoman = first < women.length;
  const first_name = (isWoman ? women[first] : men[first - women.length])!;
  // The factor has no divisor in common with a length, so that a first name meets each family.
  const family = (Math.floor(round / (women.length + men.length)) + round * 5) % families.length;
  const last_name = families[family]!;
  return { region, isWoman, first_name, last_name, mailbox: `${asciiName(first_name)}.${asciiName(last_name)}` };
}
