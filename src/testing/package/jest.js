const { matchers } = require('./testing.js');

globalThis.expect.extend(matchers);
