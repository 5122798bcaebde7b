import type { RequestContext } from '@gateway/rest-graph';

/** The settings that the app's own fields and writes read. */
export interface AppSettings {
  /** The claims of a token that name the caller's own objects. */
  claims: { me?: string | undefined; company?: string | undefined };
  /** The treatment of an option whose premium no answer shows. */
  unknownOptions: 'refuse' | 'send';
  /** Replaces the query parameter `filter_by` of product transactions. An empty text sends none. */
  productTransactionsFilterBy?: string | undefined;
}

export function settingsOf({ service }: RequestContext): AppSettings {
  return service.settings as AppSettings;
}
