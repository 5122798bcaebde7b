import anythingNew from '../../examples/screens/anything-new.graphql?raw';
import cardTap from '../../examples/screens/card-tap.graphql?raw';
import changes from '../../examples/screens/changes.graphql?raw';
import dueDiligence from '../../examples/screens/due-diligence.graphql?raw';
import lotStory from '../../examples/screens/lot-story.graphql?raw';
import stockAndBalance from '../../examples/screens/stock-and-balance.graphql?raw';
import values from '../../examples/screens/variables.json' with { type: 'json' };
import addMember from './examples/add-member.graphql?raw';
import assignCard from './examples/assign-card.graphql?raw';
import cardAssignments from './examples/card-assignments.graphql?raw';
import company from './examples/company.graphql?raw';
import createCompany from './examples/create-company.graphql?raw';
import createFarmer from './examples/create-farmer.graphql?raw';
import createForm from './examples/create-form.graphql?raw';
import createPayment from './examples/create-payment.graphql?raw';
import createTransaction from './examples/create-transaction.graphql?raw';
import farmer from './examples/farmer.graphql?raw';
import farmers from './examples/farmers.graphql?raw';
import forms from './examples/forms.graphql?raw';
import payments from './examples/payments.graphql?raw';
import purchaseLookups from './examples/purchase-lookups.graphql?raw';
import push from './examples/push.graphql?raw';
import search from './examples/search.graphql?raw';
import transactions from './examples/transactions.graphql?raw';
import uploadInvoice from './examples/upload-invoice.graphql?raw';

/** One operation for one need of a screen. */
export interface Example {
  /** The label in the menu. */
  title: string;
  /** A document of one named operation. Those of screens stand in a folder of their own, beside their prices. */
  query: string;
  /** JSON text; the ids in it are those of the sandbox. */
  variables?: string;
}

const ids = {
  cooperative: 'J7VY4SD9HV',
  farmer: 'D2YW477Q65',
  coffee: 'KUBSEUU5J8',
  dollar: '5BND77JEZS',
  organicPremium: 'J7VY4SD9HV',
  payment: 'GSXFJUYP6Y',
};

const listWithReferences: Example = { title: 'Transactions with references', query: transactions };

const purchase: Example = {
  title: 'Record a purchase with its payments',
  query: createTransaction,
  variables: json({
    input: {
      source: ids.farmer,
      destination: ids.cooperative,
      product: ids.coffee,
      quantity: '120.500',
      amount: '469.950',
      currency: ids.dollar,
      date: '2026-07-01T07:30:00Z',
      invoice_number: 'INV-2026-118',
      transaction_payments: [
        {
          source: ids.cooperative,
          destination: ids.farmer,
          premium: ids.organicPremium,
          amount: 36.15,
          currency: ids.dollar,
        },
      ],
    },
  }),
};

const searchAll: Example = {
  title: 'Search several lists at once',
  query: search,
  variables: json({ first_name: 'vestine', currency: 'dollar' }),
};

const trade = {
  destination: ids.cooperative,
  product: ids.coffee,
  quantity: '40',
  amount: '156',
  currency: ids.dollar,
};
const payout = { source: ids.cooperative, premium: ids.organicPremium, amount: 12, currency: ids.dollar };
/** Some services register no farmer without both. */
const place = { province: 'Ashanti', country: 'Ghana' };
const outbox = [
  { key: 'outbox-1', ref: 'farmer', write: { createFarmer: { first_name: 'Akua', last_name: 'Boateng', ...place } } },
  {
    key: 'outbox-2',
    ref: 'card',
    write: { createEntityCard: { entity: '$farmer', card: { card_id: '04556677889900', display_id: 'SGC 556677' } } },
  },
  { key: 'outbox-3', write: { createProductTransaction: { source: '$farmer', card: '$card', ...trade } } },
  { key: 'outbox-4', write: { createPaymentTransaction: { destination: '$farmer', ...payout } } },
];

/** The tabs of a first visit. */
export const openingExamples: readonly Example[] = [listWithReferences, purchase, searchAll];

/** Examples for every screen of an app, in the order in which a user opens the screens. */
export const exampleScreens: readonly { screen: string; examples: readonly Example[] }[] = [
  {
    screen: 'Farmers',
    examples: [
      {
        title: 'Farmers, page by page',
        query: farmers,
        variables: json({ last_name: 'osei', first: 10, after: null }),
      },
      { title: 'A farmer’s screen', query: farmer, variables: json({ id: ids.farmer }) },
      searchAll,
    ],
  },
  {
    screen: 'Company',
    examples: [
      { title: 'A company, its people and products', query: company, variables: json({ id: ids.cooperative }) },
      { title: 'Stock and balance', query: stockAndBalance, variables: json(values.StockAndBalance) },
    ],
  },
  {
    screen: 'Buying',
    examples: [
      {
        title: 'What a purchase can choose from',
        query: purchaseLookups,
        variables: json({ name: 'vestine', currency: 'dollar' }),
      },
      purchase,
    ],
  },
  {
    screen: 'Transactions',
    examples: [
      listWithReferences,
      { title: 'The story of a lot', query: lotStory, variables: json(values.LotStory) },
      {
        title: 'The due diligence file of a shipment',
        query: dueDiligence,
        variables: json(values.DueDiligence),
      },
    ],
  },
  {
    screen: 'Payments',
    examples: [
      { title: 'Payments with their premiums', query: payments, variables: json({ first: 10, after: null }) },
      {
        title: 'Pay out a premium',
        query: createPayment,
        variables: json({
          input: {
            source: ids.cooperative,
            destination: ids.farmer,
            premium: ids.organicPremium,
            amount: 25,
            currency: ids.dollar,
            date: '2026-07-01T07:30:00Z',
          },
        }),
      },
      {
        title: 'Upload an invoice',
        query: uploadInvoice,
        variables: json({ payment: ids.payment, invoice: null }),
      },
    ],
  },
  {
    screen: 'Cards',
    examples: [
      { title: 'The tap of a card', query: cardTap, variables: json(values.CardTap) },
      { title: 'Who holds which card', query: cardAssignments, variables: json({ first: 10, after: null }) },
      {
        title: 'Give a card to a farmer',
        query: assignCard,
        variables: json({
          input: { entity: ids.farmer, card: { card_id: '04998877665544', display_id: 'SGC 998877' } },
        }),
      },
    ],
  },
  {
    screen: 'Forms',
    examples: [
      { title: 'Forms and what was filled in', query: forms, variables: json({ company: ids.cooperative }) },
      {
        title: 'Create a form',
        query: createForm,
        variables: json({
          input: {
            owner: ids.cooperative,
            fields: [{ key: 'altitude', label: 'Altitude (m)', type: 'INTEGER', required: false }],
          },
        }),
      },
    ],
  },
  {
    screen: 'Onboarding',
    examples: [
      {
        title: 'Register a farmer',
        query: createFarmer,
        variables: json({
          input: { first_name: 'Esi', last_name: 'Mensah', phone: '+233201234567', city: 'Kumasi', ...place },
        }),
      },
      {
        title: 'Register a company',
        query: createCompany,
        variables: json({
          input: {
            name: 'Kivu Washing Station',
            city: 'Karongi',
            country: 'Rwanda',
            currency: ids.dollar,
            buy_enabled: true,
          },
        }),
      },
      {
        title: 'Add a member to a company',
        query: addMember,
        variables: json({
          input: {
            company: ids.cooperative,
            user: { first_name: 'Ama', last_name: 'Owusu', email: 'ama.owusu@example.org', language: 'en' },
          },
        }),
      },
    ],
  },
  {
    screen: 'Sync',
    examples: [
      { title: 'Send what was done offline', query: push, variables: json({ writes: outbox }) },
      { title: 'Is anything new?', query: anythingNew, variables: json(values.AnythingNew) },
      {
        title: 'What has changed since a time',
        query: changes,
        variables: json({ ...values.Changes, since: '2024-11-01T00:00:00Z' }),
      },
    ],
  },
];

function json(variables: object): string {
  return JSON.stringify(variables, null, 2);
}
