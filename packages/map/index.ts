export { geoJsonFile } from './geo-json-file.ts';
