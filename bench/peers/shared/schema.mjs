/** The schema and the resolvers of the hand-written Node peers. */
const stamps = 'created_on: String updated_on: String';
export const typeDefs = /* GraphQL */ `
  type Query {
    farmer(id: ID!): Farmer
    farmers(limit: Int, offset: Int): FarmerPage!
    company(id: ID!): Company
    user(id: ID!): User
    entityCards(limit: Int, offset: Int): EntityCardPage!
    connectCards(limit: Int, offset: Int): CardPage!
    products(limit: Int, offset: Int): ProductPage!
    currencies(limit: Int, offset: Int): CurrencyPage!
    productTransaction(id: ID!): ProductTransaction
    productTransactions(limit: Int, offset: Int): ProductTransactionPage!
    paymentTransaction(id: ID!): PaymentTransaction
    paymentTransactions(limit: Int, offset: Int): PaymentTransactionPage!
  }
  type FarmerPage { count: Int! next: String previous: String results: [Farmer!]! }
  type EntityCardPage { count: Int! next: String previous: String results: [EntityCard!]! }
  type CardPage { count: Int! next: String previous: String results: [Card!]! }
  type ProductPage { count: Int! next: String previous: String results: [Product!]! }
  type CurrencyPage { count: Int! next: String previous: String results: [Currency!]! }
  type ProductTransactionPage { count: Int! next: String previous: String results: [ProductTransaction!]! }
  type PaymentTransactionPage { count: Int! next: String previous: String results: [PaymentTransaction!]! }

  union Entity = Farmer | Company

  type Farmer {
    id: ID! first_name: String! last_name: String phone: String image: String description: String house_name: String street: String city: String
    sub_province: String province: String latitude: Float longitude: Float zipcode: String country: String number: String email: String
    identification_no: String reference_number: String date_of_birth: String gender: String consent_status: String ${stamps}
    entity_card: EntityCard submission: Submission
    buyer: Company creator: User updater: User
  }
  type Company {
    id: ID! name: String! description: String house_name: String street: String city: String sub_province: String province: String latitude: Float longitude: Float
    zipcode: String country: String email: String phone: String buy_enabled: Boolean sell_enabled: Boolean quality_correction: Boolean allow_multiple_login: Boolean
    image: String owned_premiums: [String!] ${stamps}
    currency: Currency entity_card: EntityCard creator: User updater: User
  }
  type User { id: ID! first_name: String last_name: String email: String dob: String phone: String address: String image: String default_entity: String language: String }
  type EntityCard { id: ID! card: Card! is_active: Boolean ${stamps} entity: Entity creator: User updater: User }
  type Card { id: ID! card_id: String! display_id: String ${stamps} creator: User updater: User }
  type Product { id: ID! name: String! premiums: String is_active: String description: String image: String ${stamps} creator: User updater: User }
  type Currency { id: ID! name: String code: String }
  type Premium { id: ID! name: String category: String type: String amount: Float included: Boolean dependant_on_card: Boolean applicable_activity: String calculation_type: String is_active: Boolean options: [PremiumOption!] ${stamps} }
  type PremiumOption { id: ID! name: String amount: Float is_active: Boolean ${stamps} }
  type Submission { id: ID! values: [SubmissionValue!] ${stamps} }
  type SubmissionValue { id: ID! field: String! value: String! ${stamps} }
  type ProductTransaction {
    id: ID! amount: String number: String quantity: String date: String type: String source_quantity: String current_quantity: String invoice: String invoice_number: String
    verification_latitude: Float verification_longitude: Float method: String quality_correction: Float ${stamps} parents: [String!]
    card_details: Card currency_details: Currency transaction_payments: [PaymentTransaction!] submissions: [Submission!]
    source: Entity destination: Entity product: Product creator: User updater: User
  }
  type PaymentTransaction {
    id: ID! amount: Float number: String date: String type: String invoice: String invoice_number: String method: String payment_type: String selected_option: String ${stamps}
    premium_details: Premium currency_details: Currency
    source: Entity destination: Entity creator: User updater: User
  }
`;

const by = (loader, field) => (row, _args, context) => (row[field] ? context.loaders[loader].load(row[field]) : null);
const people = { creator: by('user', 'creator'), updater: by('user', 'updater') };

/** An identifier does not say what it names: ask the likelier endpoint first, the other one on 404. */
const entity =
  (field, first, second) =>
  async (row, _args, { loaders }) =>
    row[field] ? ((await loaders[first].load(row[field])) ?? loaders[second].load(row[field])) : null;

const list = (path) => (_root, args, context) => context.list(path, args);
const byId = (loader) => (_root, args, context) => context.loaders[loader].load(args.id);
const detail = (path) => (_root, args, context) => context.get(`${path}${args.id}/`);

export const resolveEntityType = (row) => ('first_name' in row ? 'Farmer' : 'Company');

/** Over the context of `makeContext`. */
export const resolvers = {
  Query: {
    farmer: byId('farmer'),
    farmers: list('/supply-chains/farmers/'),
    company: byId('company'),
    user: byId('user'),
    entityCards: list('/supply-chains/entity-cards/'),
    connectCards: list('/catalogs/connect-cards/'),
    products: list('/catalogs/products/'),
    currencies: list('/catalogs/currencies/'),
    productTransaction: detail('/transactions/product-transactions/'),
    productTransactions: list('/transactions/product-transactions/'),
    paymentTransaction: detail('/transactions/payment-transactions/'),
    paymentTransactions: list('/transactions/payment-transactions/'),
  },
  Entity: { __resolveType: resolveEntityType },
  Farmer: { buyer: by('company', 'buyer'), ...people },
  Company: people,
  EntityCard: { entity: entity('entity', 'farmer', 'company'), ...people },
  Card: people,
  Product: people,
  ProductTransaction: {
    product: by('product', 'product'),
    source: entity('source', 'farmer', 'company'),
    destination: entity('destination', 'company', 'farmer'),
    ...people,
  },
  PaymentTransaction: {
    source: entity('source', 'company', 'farmer'),
    destination: entity('destination', 'farmer', 'company'),
    ...people,
  },
};
