export const url = process.env.GATEWAY_URL ?? 'http://127.0.0.1:4000/graphql';

/** The public key of the sandbox, and the name of this app. */
export const headers = { authorization: 'demo-coop', 'graphql-client-name': 'examples' };

/** Ids of the sandbox: something that a cooperative bought, and who may buy it from the cooperative. */
export const ids = {
  purchase: 'Q24C3ANSD8',
  cooperative: 'J7VY4SD9HV',
  buyer: 'T4GPXAH8SF',
  product: 'MGSJRVA2KK',
  currency: '5BND77JEZS',
  none: 'NOSUCHIDXX',
};
