import { assignCard } from '../resources/entity-cards.ts';
import { addFarmer } from '../resources/farmers.ts';
import { addSubmission } from '../resources/submissions.ts';
import type { Session } from '../session.ts';
import type { SeedClock } from './clock.ts';
import type { Random } from './random.ts';
import { type Region, regions } from './regions.ts';

export interface SeededFarmer {
  id: string;
  card: string | null;
  region: Region;
  latitude: number;
  longitude: number;
}

interface FarmerOptions {
  count: number;
  buyer: string;
  users: string[];
  /** Of the type FARMER; one farmer in four fills it in. */
  form: string | undefined;
}

/** The older a farmer is in the list, the earlier he was registered. One in twelve has no card. */
export function seedFarmers(
  session: Session,
  random: Random,
  clock: SeedClock,
  options: FarmerOptions,
): SeededFarmer[] {
  const { count, buyer, users, form } = options;
  return Array.from({ length: count }, (_, position) => {
    const region = regions[position % regions.length] as Region;
    const creator = users[position % users.length] as string;
    const daysBefore = 540 - (position / count) * 200;
    const created_on = clock.goTo(daysBefore);
    const district = random.pick(region.districts);
    const isWoman = random.chance(0.5);
    const first_name = random.pick(isWoman ? region.women : region.men);
    const last_name = random.pick(region.families);
    const latitude = coordinate(random, district.latitude);
    const longitude = coordinate(random, district.longitude);
    const mobile = `${region.dialCode}${random.pick(region.mobilePrefixes)}${random.digits(region.subscriberDigits)}`;
    const submission = form && position % 4 === 0 ? submit(session, random, form, creator) : null;
    const farmer = addFarmer(
      session,
      {
        first_name,
        last_name: random.chance(0.03) ? null : last_name,
        phone: random.chance(0.9) ? mobile : null,
        created_on,
        description: random.chance(0.2) ? `Member of the ${district.name} growers' group` : null,
        house_name: random.chance(0.5)
          ? `${random.pick(['House', 'Plot', 'Compound'])} ${random.integer(1, 90)}`
          : null,
        street: random.chance(0.7) ? `${random.pick(['Market', 'Mission', 'Station', 'School', 'River'])} Road` : null,
        city: random.pick(district.towns),
        sub_province: district.name,
        province: region.province,
        latitude,
        longitude,
        zipcode: region.country === 'Indonesia' ? `245${random.digits(2)}` : null,
        country: region.country,
        email: random.chance(0.25) ? `${asciiName(first_name)}.${asciiName(last_name)}${position}@mail.example` : null,
        identification_no: `${region.country.slice(0, 2).toUpperCase()}-${random.digits(9)}`,
        reference_number: `SGC-${String(position + 1).padStart(5, '0')}`,
        date_of_birth: `${random.integer(1951, 2004)}-${month(random)}-${String(random.integer(1, 28)).padStart(2, '0')}`,
        gender: isWoman ? 'FEMALE' : 'MALE',
        buyer,
        creator,
        updater: creator,
      },
      { consent_status: consent(random), submission },
    );
    // Cards are handed out some weeks later, so a farmer is updated after he was created.
    clock.goTo(daysBefore - random.integer(2, 30));
    const card = position % 12 === 11 ? null : assign(session, random, farmer.id, creator);
    return { id: farmer.id, card, region, latitude, longitude };
  });
}

function submit(session: Session, random: Random, form: string, creator: string): string {
  const values = [
    { field: 'farm_size', value: (random.integer(4, 95) / 10).toFixed(1) },
    { field: 'household', value: String(random.integer(1, 9)) },
  ];
  return addSubmission(session, { form, values, creator, updater: creator }).id;
}

/** Some cards were somebody else's before; that assignment stays in the list, inactive. */
function assign(session: Session, random: Random, entity: string, creator: string): string {
  const card = { card_id: `04${random.digits(12)}`, display_id: random.chance(0.8) ? `SGC ${random.digits(6)}` : null };
  if (random.chance(0.04))
    assignCard(session, { card: { ...card, card_id: `03${random.digits(12)}` }, entity, creator });
  return assignCard(session, { card: { ...card, creator }, entity, creator, updater: creator }).card;
}

const coordinate = (random: Random, center: number) => Number((center + (random.next() - 0.5) * 0.2).toFixed(6));
const month = (random: Random) => String(random.integer(1, 12)).padStart(2, '0');
const consent = (random: Random) => random.pick(['GRANTED', 'GRANTED', 'GRANTED', 'NOT_GRANTED', 'UNKNOWN']);
const asciiName = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '') || 'farmer';
