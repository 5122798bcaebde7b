import { assignCard } from '../entity-cards.ts';
import { addFarmer } from '../farmers.ts';
import { buyer, coop } from '../framework/keys.ts';
import { Random } from '../framework/random.ts';
import { SeedClock } from '../framework/seed-clock.ts';
import type { Session } from '../framework/session.ts';
import type { World } from '../framework/world.ts';
import { asciiName, type Region, regions } from '../shared/regions.ts';
import { addSubmission } from '../shared/submissions.ts';
import { seed as seedEntityCards } from './entity-cards.ts';
import { seed as seedForms } from './forms.ts';
import { seed as seedUsers } from './users.ts';

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
  /** The id of a form of type FARMER, which one farmer in four fills in. */
  form: string | undefined;
}

export function seed(world: World) {
  // Companies get the first cards, farmers the next.
  world.rowsOf(seedEntityCards);
  const { ofCoop, ofBuyer } = world.rowsOf(seedUsers);
  const { farmer: form } = world.rowsOf(seedForms);
  const random = new Random(1_851_826_443);
  const clock = new SeedClock(random);
  const session = world.session(coop, () => clock.now());
  return {
    ofCoop: seedFarmers(session, random, clock, { count: 240, buyer: coop.company, users: ofCoop, form }),
    ofBuyer: seedFarmers(session, random, clock, { count: 12, buyer: buyer.company, users: ofBuyer, form: undefined }),
  };
}

/** Farmers in the order of their registration. One in twelve has no card. */
function seedFarmers(
  session: Session,
  random: Random,
  clock: SeedClock,
  { count, buyer, users, form }: FarmerOptions,
): SeededFarmer[] {
  return Array.from({ length: count }, (_, position) => {
    const region = regions[position % regions.length]!;
    const creator = users[position % users.length] as string;
    const daysBefore = 540 - (position / count) * 200;
    const created_on = clock.goTo(daysBefore);
    const district = random.pick(region.districts);
    const isWoman = random.chance(0.5);
    const first_name = random.pick(isWoman ? region.women : region.men);
    const last_name = random.pick(region.families);
    const latitude = coordinate(random, district.latitude);
    const longitude = coordinate(random, district.longitude);
    const plots = plotsOf(position, latitude, longitude);
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
      {
        consent_status: consent(random),
        submission,
        image: position % 6 === 0 ? '/media/images/person.png' : null,
        plots,
      },
    );
    // Farmers get their cards some weeks later, so that `updated_on` differs from `created_on`.
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

/** One farmer in 25 gets a second card; the assignment of the first one stays, inactive. */
function assign(session: Session, random: Random, entity: string, creator: string): string {
  const card = { card_id: `04${random.digits(12)}`, display_id: random.chance(0.8) ? `SGC ${random.digits(6)}` : null };
  if (random.chance(0.04))
    assignCard(session, { card: { ...card, card_id: `03${random.digits(12)}` }, entity, creator });
  return assignCard(session, { card: { ...card, creator }, entity, creator, updater: creator }).card;
}

/** One farmer in three has a plot beside the house, and one in nine has another one further off. No draw of `random` moves. */
function plotsOf(position: number, latitude: number, longitude: number): object[] {
  const plots = [plot('Home plot', 2 + (position % 5), latitude, longitude)];
  if (position % 9 === 0) plots.push(plot('Far plot', 1 + (position % 3), latitude + 0.008413, longitude + 0.006127));
  return position % 3 === 0 ? plots : [];
}

/** A GeoJSON feature: a leaning rectangle of about `hectares`. */
function plot(name: string, hectares: number, latitude: number, longitude: number): object {
  // A degree of latitude is about 111.32 km, as is one of longitude near the equator.
  const side = Math.sqrt(hectares * 10_000) / 111_320;
  const at = (east: number, north: number) => [six(longitude + east * side), six(latitude + north * side)];
  const ring = [at(0, 0), at(1, 0.1), at(0.9, 1.1), at(-0.1, 1), at(0, 0)];
  return { type: 'Feature', properties: { name, area: hectares }, geometry: { type: 'Polygon', coordinates: [ring] } };
}

const six = (degrees: number) => Number(degrees.toFixed(6));
const coordinate = (random: Random, center: number) => Number((center + (random.next() - 0.5) * 0.2).toFixed(6));
const month = (random: Random) => String(random.integer(1, 12)).padStart(2, '0');
const consent = (random: Random) => random.pick(['GRANTED', 'GRANTED', 'GRANTED', 'NOT_GRANTED', 'UNKNOWN']);
