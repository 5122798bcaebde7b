import type { Contract } from '@gateway/contract';
import { type FileKind, ListFile, type OpenFile } from '@gateway/files';
import { rowFields } from '@gateway/rest-graph';
import { getNamedType } from 'graphql';
import { AnswerRow } from './answer-row.ts';
import type { GeoTypes } from './geo-fields.ts';
import { GeoJson } from './geo-json.ts';
import { markedOperation } from './marked-operation.ts';
import { type Places, placesIn } from './places.ts';

/** Shows the objects of an operation that have places: those of a list window by window, others in one piece. */
export function geoJsonFile({ data }: Contract): FileKind {
  const types = (data.parts.map ?? {}) as GeoTypes;
  return {
    mediaTypes: ['application/geo+json'],
    open(service, args): OpenFile {
      const places = placesIn(args.tree, types);
      const marked = markedOperation(args, places);
      const [root, rows] = places.paths[0] as Places['paths'][number];
      const isList =
        getNamedType(root.definition.type).name.endsWith('Connection') &&
        rows !== undefined &&
        rowFields.has(rows.name);
      return isList
        ? { rows: new ListFile(service, marked), format: new GeoJson(types, places, 2) }
        : { rows: new AnswerRow(service, marked, root), format: new GeoJson(types, places, 0) };
    },
  };
}
