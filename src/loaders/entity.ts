import { RestError } from '../rest/errors.ts';
import { type Loader, loadEach } from './batch.ts';
import type { Known } from './identity-map.ts';
import type { KindMemory } from './kind-memory.ts';

export interface EntityKey {
  id: string;
  /** The endpoint to ask first when nothing else is known. */
  likely: 'Farmer' | 'Company';
}

type ByKind = Record<'Farmer' | 'Company', Loader<string, Known>>;

/** Farmers and companies by ids that do not say which: the remembered kind is asked first, then the other one. */
export function entityLoader(loaders: ByKind, kinds: KindMemory): Loader<EntityKey, Known> {
  const get = async ({ id, likely }: EntityKey): Promise<Known> => {
    const first = kinds.get(id) ?? likely;
    const second = first === 'Farmer' ? 'Company' : 'Farmer';
    try {
      return await loaders[first].load(id);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      try {
        return await loaders[second].load(id);
      } catch (secondError) {
        // Not found at one endpoint proves nothing while the other one refuses to say.
        throw secondError instanceof RestError && secondError.code === 'NOT_FOUND' ? error : secondError;
      }
    }
  };
  return loadEach(get, ({ id }) => id);
}

function isAbsent(error: unknown): boolean {
  return error instanceof RestError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN');
}
