/** Ids of rows that exist in the service. */
export interface Known {
  user: string;
  policy: string;
  company: string;
  farmer: string;
  entityCard: string;
  product: string;
  card: string;
  currency: string;
  form: string;
  field: string;
  premium: string;
  option: string;
  transaction: string;
  payment: string;
  submission: string;
}

/** Request bodies that hold every property that the contract lists. */
export const fullBodies = {
  FarmerWrite: ({ user, company }: Known) => ({
    first_name: 'Esi',
    id: 'proposed',
    phone: '+233 24 1234567',
    created_on: '2024-02-29T08:30:00Z',
    description: 'Grows cocoa',
    ...address,
    latitude: 6.69,
    longitude: -1.62,
    number: 'F-1',
    email: 'esi@example.com',
    identification_no: 'GHA-1',
    reference_number: 'R-1',
    last_name: 'Mensah',
    date_of_birth: '1990-12-31',
    gender: 'FEMALE',
    creator: user,
    updater: user,
    buyer: company,
  }),

  CompanyWrite: ({ user, company, currency, entityCard }: Known) => ({
    name: 'Kuapa',
    id: 'proposed',
    currency,
    created_on: '2024-02-29T08:30:00Z',
    description: 'A cooperative',
    ...address,
    latitude: 6.69,
    longitude: -1.62,
    email: 'office@example.com',
    phone: '+233 24 1234567',
    buy_enabled: true,
    sell_enabled: false,
    quality_correction: true,
    allow_multiple_login: false,
    creator: user,
    updater: user,
    buyer: company,
    entity_card: entityCard,
  }),

  UserPatch: ({ company, policy }: Known) => ({
    id: 'proposed',
    first_name: 'Ama',
    last_name: 'Owusu',
    email: 'ama@example.com',
    dob: '1985-01-02',
    phone: '+233 24 7654321',
    address: 'Market Road 4, Kumasi',
    updated_email: 'ama.owusu@example.com',
    default_entity: company,
    accepted_policy: policy,
    language: 'en',
  }),

  CompanyMemberWrite: (known: Known) => ({
    user: fullBodies.UserPatch(known),
    company: known.company,
    id: 'proposed',
    is_active: true,
    creator: known.user,
    updater: known.user,
  }),

  EntityCardWrite: ({ user, farmer }: Known) => ({
    card: { card_id: '04:A2:19', id: 'proposed', display_id: '1042', creator: user, updater: user },
    entity: farmer,
    id: 'proposed',
    creator: user,
    updater: user,
  }),

  PremiumWrite: ({ user, company }: Known) => ({
    name: 'Fair trade',
    id: 'proposed',
    options: [{ name: 'Small', amount: 1.5, id: 'proposed', is_active: true, creator: user, updater: user }],
    category: 'TRANSACTION',
    type: 'PER_KG',
    amount: 2.25,
    included: true,
    dependant_on_card: false,
    applicable_activity: 'BUY',
    calculation_type: 'OPTIONS',
    is_active: true,
    creator: user,
    updater: user,
    owner: company,
  }),

  FormWrite: ({ user, company }: Known) => ({
    fields: [
      {
        label: 'Moisture',
        id: 'proposed',
        label_en_us: 'Moisture',
        label_en_uk: 'Moisture',
        label_fr: 'Humidité',
        label_nl: 'Vocht',
        label_ind: 'Kelembapan',
        key: 'moisture',
        required: true,
        default_value: '7',
        options: '{}',
        creator: user,
        updater: user,
      },
    ],
    owner: company,
    id: 'proposed',
    field_config: [
      {
        label: 'Invoice',
        key: 'invoice',
        id: 'proposed',
        visibility: true,
        required: false,
        creator: user,
        updater: user,
      },
    ],
    creator: user,
    updater: user,
  }),

  ProductTransactionWrite: (known: Known) => ({
    amount: '120.500',
    source: known.farmer,
    destination: known.company,
    product: known.product,
    id: 'proposed',
    transaction_payments: [{ ...payment(known), submissions: [] }],
    currency: known.currency,
    submissions: [
      {
        form: known.form,
        values: [{ field: known.field, value: '7.5', id: 'proposed', creator: known.user, updater: known.user }],
        id: 'proposed',
        product: known.product,
        creator: known.user,
        updater: known.user,
      },
    ],
    number: 'T-1',
    created_on: '2024-02-29T08:30:00Z',
    date: '2024-02-28T08:30:00.123456+02:00',
    invoice_number: 'INV-1',
    verification_latitude: 6.69,
    verification_longitude: -1.62,
    quality_correction: 95.5,
    quantity: '10.250',
    creator: known.user,
    updater: known.user,
    card: known.card,
    parents: [known.transaction],
  }),

  PaymentTransactionWrite: (known: Known) => ({
    ...payment(known),
    submissions: [known.submission],
  }),
};

const address = {
  house_name: 'House 4',
  street: 'Market Road',
  city: 'Kumasi',
  sub_province: 'Ejisu',
  province: 'Ashanti',
  zipcode: 'AK-039',
  country: 'Ghana',
};

function payment({ user, company, farmer, currency, card, premium, option, transaction }: Known) {
  return {
    source: company,
    destination: farmer,
    id: 'proposed',
    currency,
    number: 'P-1',
    created_on: '2024-02-29T08:30:00Z',
    date: '2024-02-28T08:30:00Z',
    invoice_number: 'INV-2',
    verification_latitude: 6.69,
    verification_longitude: -1.62,
    amount: 12.5,
    selected_option: option,
    creator: user,
    updater: user,
    card,
    premium,
    transaction,
  };
}
