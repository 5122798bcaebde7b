const { matchers, stopAll } = require('./testing.js');

globalThis.expect.extend(matchers);
// Jest runs the next file in this process. Without this, it would keep the gateways that no test has stopped.
globalThis.afterAll(stopAll);
