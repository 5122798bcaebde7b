import { listReply } from '../../../test/support/changing-list.ts';
import type { FakeRequest, Reply } from '../../../test/support/fake-upstream.ts';
import { paths } from '../../../test/support/rest-reads.ts';

interface Assignment {
  id: string;
  card: { id: string; card_id: string; display_id: null };
  entity: string;
  is_active: boolean;
  created_on: string;
  updated_on: string;
}

interface Farmer {
  id: string;
  first_name: string;
  created_on: string;
  updated_on: string;
  entity_card: Assignment | null;
}

export const company = 'COMPANY222';
/** Earlier than all changes that a test makes. */
const longAgo = 1_700_000_000;

/** A service in the dialect `connect` whose farmers and cards a test changes past the gateway. */
export class CardWorld {
  readonly farmers: Farmer[] = [];
  readonly ofCompany: Assignment[] = [];
  /** Ids of farmers that no list shows, and that are unknown by their ids. */
  readonly hidden = new Set<string>();
  /** Ids of farmers that the service fails on. */
  readonly failing = new Set<string>();
  /** Runs before a page of farmers is read. */
  beforePage: () => void = () => {};
  #assignments = 0;

  addFarmer(time = now()): Farmer {
    const number = this.farmers.length;
    const id = `FARMER${number}`;
    const farmer = { id, first_name: `Ama ${number}`, created_on: time, updated_on: time, entity_card: null };
    this.farmers.push(farmer);
    return farmer;
  }

  /** Leaves other assignments of the card as they are, as faulty services do. `age`: seconds. */
  assign(card_id: string, entity: string, { age, isActive = true }: { age?: number; isActive?: boolean } = {}): void {
    this.#assignments += 1;
    const time = age === undefined ? now() : String(longAgo - age);
    const assignment = {
      id: `ASSIGN${this.#assignments}`,
      card: { id: `CARD${card_id}`, card_id, display_id: null },
      entity,
      is_active: isActive,
      created_on: time,
      updated_on: time,
    };
    if (entity === company) {
      this.ofCompany.push(assignment);
      return;
    }
    const farmer = this.farmers.find(({ id }) => id === entity)!;
    farmer.entity_card = assignment;
    farmer.updated_on = age === undefined ? now() : String(longAgo);
  }

  /** Gives a card to another holder. Earlier holders keep their time of change, as in some services. */
  give(card_id: string, entity: string): void {
    for (const farmer of this.farmers) {
      if (farmer.entity_card?.card.card_id === card_id)
        farmer.entity_card = { ...farmer.entity_card, is_active: false };
    }
    for (const assignment of this.ofCompany) {
      if (assignment.card.card_id === card_id) Object.assign(assignment, { is_active: false, updated_on: now() });
    }
    this.assign(card_id, entity);
  }

  /** The holder that all rows show. */
  holderOf(card_id: string): string | null {
    const visible = this.#visible.filter(({ id }) => !this.failing.has(id));
    const assignments = [...visible.flatMap(({ entity_card }) => entity_card ?? []), ...this.ofCompany];
    const [newest] = assignments
      .filter(({ is_active, card }) => is_active && card.card_id === card_id)
      .toSorted((a, b) => Number(b.updated_on) - Number(a.updated_on) || (a.id < b.id ? 1 : -1));
    return newest?.entity ?? null;
  }

  get isWhole(): boolean {
    return this.#visible.every(({ id }) => !this.failing.has(id));
  }

  get #visible(): Farmer[] {
    return this.farmers.filter(({ id }) => !this.hidden.has(id));
  }

  readonly respond = ({ path }: Pick<FakeRequest, 'path'>): Reply => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    const after = Number(searchParams.get('updated_after'));
    const changed = ({ updated_on }: { updated_on: string }) => Number(updated_on) > after;
    if (pathname === paths.farmers) {
      this.beforePage();
      return this.#page(this.#visible.filter(changed), searchParams);
    }
    if (pathname === paths.entityCards) {
      const newest = this.ofCompany.filter(changed).toSorted((a, b) => Number(b.created_on) - Number(a.created_on));
      return this.#page(newest, searchParams);
    }
    const id = pathname.split('/').at(-2) as string;
    if (pathname.startsWith(paths.companies) && id === company) return found({ id, name: 'Coop' });
    const farmer = pathname.startsWith(paths.farmers) ? this.#visible.find((each) => each.id === id) : undefined;
    if (!farmer) return { status: 404, body: '{}' };
    return this.failing.has(id) ? failure : found(farmer);
  };

  #page(rows: readonly { id: string }[], query: URLSearchParams): Reply {
    const offset = Number(query.get('offset'));
    const results = rows.slice(offset, offset + Number(query.get('limit')));
    return results.some(({ id }) => this.failing.has(id)) ? failure : listReply(rows.length, results);
  }
}

const failure: Reply = { status: 500, body: '<h1>Server Error (500)</h1>' };

const now = () => String(Math.floor(Date.now() / 1000));

function found(data: object): Reply {
  return { body: JSON.stringify({ success: true, detail: 'Success', code: 200, data }) };
}
