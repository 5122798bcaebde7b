/**
 * Forms as the HTTP clients of phones write them, by the code of each client. `{bytes}` stands for the length of a part.
 * The code of NSURLSession is not public, so its forms are those that its callers hand over.
 */
export interface MobileForm {
  client: string;
  /** Where the code stands that writes these bytes. */
  source: string;
  licence: string;
  boundary: string;
  /** By default the boundary without quotes. */
  contentType?: string;
  /** The header of a body without a length, as the client spells it. By default the client declares the length. */
  transferEncoding?: 'chunked' | 'Chunked';
  /** The lines of the headers of `operations`, `map` and the file. */
  parts: readonly [operations: string[], map: string[], file: string[]];
  /** The name of the file as it arrives at the service. */
  name: string;
}

const reactNative = 'npm react-native@0.88.1';
const okHttp = 'github.com/square/okhttp';
const alamofire =
  'github.com/Alamofire/Alamofire 5.12.0 (7595cbcf5980), Source/Features/MultipartFormData.swift, contentHeaders()';
const dotNet = 'github.com/dotnet/runtime (04da5a173f63), src/libraries/System.Net.Http/src/System/Net/Http';

/** The lines that each part has, after a line of its own. */
const withLines = (lines: [string, string, string], more: string[]) =>
  lines.map((line) => [line, ...more]) as [string[], string[], string[]];

const quotedNames = (header: string, filename: string): [string, string, string] => [
  `${header}: form-data; name="operations"`,
  `${header}: form-data; name="map"`,
  `${header}: form-data; name="0"; filename="${filename}"`,
];

const asFields = ([operations, map]: [string, string, string]): [string[], string[]] => [[operations], [map]];

const ofReactNative = quotedNames('content-disposition', 'bill%20of%20sale.jpg');
const ofOkHttp = quotedNames('Content-Disposition', 'reçu %227%22.jpg');
const ofAlamofire = quotedNames('Content-Disposition', 'reçu 7.jpg');
const [operations, map, file] = ofReactNative;

const iosBoundary = 'Zr8.kQ_xW1-mN3vB7cX9aS2dF4gH6jK8lP0oI5uY.tR_eW-qA1sD3fG5hJ7kL9zX2cV4bN';
const uuid = '7a52f2ae-0f3c-4a7a-9d07-2f1c0f4f3a11';

export const mobileForms: readonly MobileForm[] = [
  {
    client: 'React Native on Android',
    source: `${reactNative}, NetworkingModule.kt constructMultipartBody(), by OkHttp 4.9.2 (3edf17ca8a50) MultipartBody.kt`,
    licence: 'MIT, Apache-2.0',
    boundary: uuid,
    parts: [
      [operations, 'Content-Length: {bytes}'],
      [map, 'Content-Length: {bytes}'],
      [file, 'Content-Type: image/jpeg', 'Content-Length: {bytes}'],
    ],
    name: 'bill%20of%20sale.jpg',
  },
  {
    client: 'React Native on Android, in an app with a user agent of its own',
    source: `${reactNative}, NetworkingModule.kt extractHeaders(), which adds the user agent to each part`,
    licence: 'MIT',
    boundary: uuid,
    parts: [
      [operations, 'user-agent: FieldApp/1.0', 'Content-Length: {bytes}'],
      [map, 'user-agent: FieldApp/1.0', 'Content-Length: {bytes}'],
      [file, 'user-agent: FieldApp/1.0', 'Content-Type: image/jpeg', 'Content-Length: {bytes}'],
    ],
    name: 'bill%20of%20sale.jpg',
  },
  {
    client: 'React Native on iOS',
    source: `${reactNative}, RCTNetworking.mm RCTHTTPFormDataHelper`,
    licence: 'MIT',
    boundary: iosBoundary,
    parts: [[operations], [map], [file, 'content-type: image/jpeg']],
    name: 'bill%20of%20sale.jpg',
  },
  {
    client: 'React Native on iOS, where the headers of a part come in the other order',
    source: `${reactNative}, RCTNetworking.mm handleResult: writes a dictionary, whose order is not defined`,
    licence: 'MIT',
    boundary: iosBoundary,
    parts: [[operations], [map], ['content-type: image/jpeg', file]],
    name: 'bill%20of%20sale.jpg',
  },
  {
    client: 'React Native on iOS, a file without a type',
    source: `${reactNative}, FormData.js getParts(), and RCTFileRequestHandler.mm for a name without an extension`,
    licence: 'MIT',
    boundary: iosBoundary,
    parts: [[operations], [map], [file]],
    name: 'bill%20of%20sale.jpg',
  },
  {
    client: 'expo/fetch',
    source: 'npm expo@58.0.26, src/winter/fetch/convertFormData.ts',
    licence: 'MIT',
    boundary: '----ExpoFetchFormBoundaryx7Kq2ZbT9mWc4RfV',
    parts: [[operations], [map], [file, 'content-type: image/jpeg']],
    name: 'bill%20of%20sale.jpg',
  },
  {
    client: 'OkHttp 4, a file without a type',
    source: `${okHttp} 4.12.0 (4984568367ca), okhttp/src/main/kotlin/okhttp3/MultipartBody.kt`,
    licence: 'Apache-2.0',
    boundary: uuid,
    parts: withLines(ofOkHttp, ['Content-Length: {bytes}']),
    name: 'reçu %227%22.jpg',
  },
  {
    client: 'OkHttp 3, a file of unknown length',
    source: 'recorded from Debian libokhttp-java 3.13.1-3, whose MultipartBody is that of 4.12.0 in Java',
    licence: 'Apache-2.0',
    boundary: uuid,
    transferEncoding: 'chunked',
    parts: [
      [ofOkHttp[0], 'Content-Length: {bytes}'],
      [ofOkHttp[1], 'Content-Length: {bytes}'],
      [ofOkHttp[2], 'Content-Type: image/jpeg'],
    ],
    name: 'reçu %227%22.jpg',
  },
  {
    client: 'OkHttp 5',
    source: `${okHttp} 5.4.0 (61423f472da2), okhttp/src/commonJvmAndroid/kotlin/okhttp3/MultipartBody.kt`,
    licence: 'Apache-2.0',
    boundary: uuid,
    parts: [...asFields(ofOkHttp), [ofOkHttp[2], 'Content-Type: image/jpeg']],
    name: 'reçu %227%22.jpg',
  },
  {
    client: 'Alamofire',
    source: alamofire,
    licence: 'MIT',
    boundary: 'alamofire.boundary.0a1b2c3d4e5f6071',
    parts: [...asFields(ofAlamofire), [ofAlamofire[2], 'Content-Type: image/jpeg']],
    name: 'reçu 7.jpg',
  },
  {
    client: 'Alamofire, a file without a type',
    source: alamofire,
    licence: 'MIT',
    boundary: 'alamofire.boundary.0a1b2c3d4e5f6071',
    parts: withLines(ofAlamofire, []),
    name: 'reçu 7.jpg',
  },
  {
    client: 'NSURLSession, a form from a stream',
    source: 'the parts of Alamofire; the header from github.com/wkh237/react-native-fetch-blob/issues/94',
    licence: 'MIT',
    boundary: 'alamofire.boundary.0a1b2c3d4e5f6071',
    transferEncoding: 'Chunked',
    parts: [...asFields(ofAlamofire), [ofAlamofire[2], 'Content-Type: image/jpeg']],
    name: 'reçu 7.jpg',
  },
  {
    client: '.NET MAUI, with a quoted boundary and filename*',
    source: `${dotNet}/MultipartFormDataContent.cs, MultipartContent.cs, Headers/ContentDispositionHeaderValue.cs`,
    licence: 'MIT',
    boundary: uuid,
    contentType: `multipart/form-data; boundary="${uuid}"`,
    parts: [
      ['Content-Type: text/plain; charset=utf-8', 'Content-Disposition: form-data; name=operations'],
      ['Content-Type: text/plain; charset=utf-8', 'Content-Disposition: form-data; name=map'],
      [
        `Content-Disposition: form-data; name=0; filename="=?utf-8?B?cmXDp3UgNy5qcGc=?="; filename*=utf-8''re%C3%A7u%207.jpg`,
      ],
    ],
    name: 'reçu 7.jpg',
  },
  {
    client: 'Flutter, with a transfer encoding',
    source: 'github.com/dart-lang/http 1.5.0 (b661894a6c7c), pkgs/http/lib/src/multipart_request.dart',
    licence: 'BSD-3-Clause',
    boundary: 'dart-http-boundary-Zr8.kQ+xW1-mN3vB7cX9aS2dF4gH6jK8lP0oI5uY.tR_eW-qA1s',
    parts: [
      [
        'content-disposition: form-data; name="operations"',
        'content-type: text/plain; charset=utf-8',
        'content-transfer-encoding: binary',
      ],
      ['content-disposition: form-data; name="map"'],
      ['content-type: image/jpeg', 'content-disposition: form-data; name="0"; filename="reçu 7.jpg"'],
    ],
    name: 'reçu 7.jpg',
  },
];
