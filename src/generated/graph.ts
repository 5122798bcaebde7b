// Written by `npm run codegen`; not to be edited.
import type { UploadedFile } from '@gateway/graphql-serve';
import type { Connection, FoundRows } from '@gateway/rest-graph';
import type { DateTime as Time } from '@gateway/upstream';
import type { components } from './rest-service.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { RequestContext } from '@gateway/rest-graph';
export type Maybe<T> = T | null | undefined;
export type InputMaybe<T> = T | null;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  DateTime: { input: Time; output: string; }
  Date: { input: string; output: string; }
  Decimal: { input: string; output: string; }
  JSON: { input: unknown; output: unknown; }
  Upload: { input: Promise<UploadedFile>; output: never; }
};

export type Query = {
  __typename?: 'Query';
  farmers?: Maybe<FarmerConnection>;
  farmer?: Maybe<Farmer>;
  company?: Maybe<Company>;
  user?: Maybe<User>;
  entityCards?: Maybe<EntityCardConnection>;
  products?: Maybe<ProductConnection>;
  cards?: Maybe<CardConnection>;
  currencies?: Maybe<CurrencyConnection>;
  premiums?: Maybe<PremiumConnection>;
  premium?: Maybe<Premium>;
  forms?: Maybe<FormConnection>;
  form?: Maybe<Form>;
  productTransactions?: Maybe<ProductTransactionConnection>;
  productTransaction?: Maybe<ProductTransaction>;
  paymentTransactions?: Maybe<PaymentTransactionConnection>;
  paymentTransaction?: Maybe<PaymentTransaction>;
  entity?: Maybe<Entity>;
  me?: Maybe<User>;
  activeCompany?: Maybe<Company>;
  serverTime: Scalars['DateTime']['output'];
  productTransactionTotals?: Maybe<ProductTransactionTotals>;
  paymentTransactionTotals?: Maybe<PaymentTransactionTotals>;
  cardHolder?: Maybe<CardHolder>;
  farmerCandidates?: Maybe<FarmerCandidates>;
};


export type QueryFarmersArgs = {
  first_name?: InputMaybe<Scalars['String']['input']>;
  last_name?: InputMaybe<Scalars['String']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  reference_number?: InputMaybe<Scalars['String']['input']>;
  entity?: InputMaybe<Scalars['ID']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


export type QueryFarmerArgs = {
  id: Scalars['ID']['input'];
};


export type QueryCompanyArgs = {
  id: Scalars['ID']['input'];
};


export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


export type QueryEntityCardsArgs = {
  card_id?: InputMaybe<Scalars['String']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


export type QueryProductsArgs = {
  name?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


export type QueryCardsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


export type QueryCurrenciesArgs = {
  search?: InputMaybe<Scalars['String']['input']>;
  code?: InputMaybe<Scalars['String']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


export type QueryPremiumsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


export type QueryPremiumArgs = {
  id: Scalars['ID']['input'];
};


export type QueryFormsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


export type QueryFormArgs = {
  id: Scalars['ID']['input'];
};


export type QueryProductTransactionsArgs = {
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
  entity?: InputMaybe<Scalars['ID']['input']>;
  reverse_sync?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


export type QueryProductTransactionArgs = {
  id: Scalars['ID']['input'];
};


export type QueryPaymentTransactionsArgs = {
  payment_type?: InputMaybe<PaymentType>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


export type QueryPaymentTransactionArgs = {
  id: Scalars['ID']['input'];
};


export type QueryEntityArgs = {
  id: Scalars['ID']['input'];
};


export type QueryProductTransactionTotalsArgs = {
  groupBy?: InputMaybe<Array<ProductTransactionGroup>>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
  entity?: InputMaybe<Scalars['ID']['input']>;
  reverse_sync?: InputMaybe<Scalars['Boolean']['input']>;
};


export type QueryPaymentTransactionTotalsArgs = {
  groupBy?: InputMaybe<Array<PaymentTransactionGroup>>;
  payment_type?: InputMaybe<PaymentType>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
};


export type QueryCardHolderArgs = {
  card_id: Scalars['String']['input'];
};


export type QueryFarmerCandidatesArgs = {
  input: FarmerCandidateInput;
};

export type Mutation = {
  __typename?: 'Mutation';
  createFarmer?: Maybe<Farmer>;
  createCompany?: Maybe<Company>;
  updateCompany?: Maybe<Company>;
  createCompanyMember?: Maybe<CompanyMember>;
  updateUser?: Maybe<User>;
  createEntityCard?: Maybe<EntityCard>;
  createPremium?: Maybe<Premium>;
  createForm?: Maybe<Form>;
  createProductTransaction?: Maybe<ProductTransaction>;
  createPaymentTransaction?: Maybe<PaymentTransaction>;
  uploadInvoice?: Maybe<PaymentTransaction>;
  push: Array<WriteResult>;
};


export type MutationCreateFarmerArgs = {
  input: CreateFarmerInput;
};


export type MutationCreateCompanyArgs = {
  input: CreateCompanyInput;
};


export type MutationUpdateCompanyArgs = {
  id: Scalars['ID']['input'];
  input: UpdateCompanyInput;
  if_updated_on?: InputMaybe<Scalars['DateTime']['input']>;
};


export type MutationCreateCompanyMemberArgs = {
  input: CreateCompanyMemberInput;
};


export type MutationUpdateUserArgs = {
  id: Scalars['ID']['input'];
  input: UpdateUserInput;
  if_unchanged?: InputMaybe<UpdateUserInput>;
};


export type MutationCreateEntityCardArgs = {
  input: CreateEntityCardInput;
};


export type MutationCreatePremiumArgs = {
  input: CreatePremiumInput;
};


export type MutationCreateFormArgs = {
  input: CreateFormInput;
};


export type MutationCreateProductTransactionArgs = {
  input: CreateProductTransactionInput;
};


export type MutationCreatePaymentTransactionArgs = {
  input: CreatePaymentTransactionInput;
};


export type MutationUploadInvoiceArgs = {
  payment_transaction: Scalars['ID']['input'];
  invoice: Scalars['Upload']['input'];
};


export type MutationPushArgs = {
  writes: Array<WriteInput>;
};

export type PageInfo = {
  __typename?: 'PageInfo';
  hasNextPage: Scalars['Boolean']['output'];
  hasPreviousPage: Scalars['Boolean']['output'];
  startCursor?: Maybe<Scalars['String']['output']>;
  endCursor?: Maybe<Scalars['String']['output']>;
};

export type Card = {
  __typename?: 'Card';
  id: Scalars['ID']['output'];
  card_id?: Maybe<Scalars['String']['output']>;
  display_id?: Maybe<Scalars['String']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  holder?: Maybe<Entity>;
};

export type Product = {
  __typename?: 'Product';
  id: Scalars['ID']['output'];
  name?: Maybe<Scalars['String']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  image?: Maybe<Scalars['String']['output']>;
  /** @deprecated Use `premium_ids`. May be removed after 2027-06-30. */
  premiums?: Maybe<Scalars['String']['output']>;
  premium_ids?: Maybe<Array<Scalars['ID']['output']>>;
  premium_details?: Maybe<Array<Maybe<Premium>>>;
  /** @deprecated Use `active`. May be removed after 2027-06-30. */
  is_active?: Maybe<Scalars['String']['output']>;
  active?: Maybe<Scalars['Boolean']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  productTransactions?: Maybe<ProductTransactionRows>;
};


export type ProductProductTransactionsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
};

export type Currency = {
  __typename?: 'Currency';
  id: Scalars['ID']['output'];
  name?: Maybe<Scalars['String']['output']>;
  code?: Maybe<Scalars['String']['output']>;
};

export type Premium = {
  __typename?: 'Premium';
  id: Scalars['ID']['output'];
  name?: Maybe<Scalars['String']['output']>;
  category?: Maybe<PremiumCategory>;
  category_raw?: Maybe<Scalars['String']['output']>;
  type?: Maybe<PremiumType>;
  type_raw?: Maybe<Scalars['String']['output']>;
  applicable_activity?: Maybe<PremiumActivity>;
  applicable_activity_raw?: Maybe<Scalars['String']['output']>;
  calculation_type?: Maybe<PremiumCalculationType>;
  calculation_type_raw?: Maybe<Scalars['String']['output']>;
  amount?: Maybe<Scalars['Float']['output']>;
  included?: Maybe<Scalars['Boolean']['output']>;
  dependant_on_card?: Maybe<Scalars['Boolean']['output']>;
  is_active?: Maybe<Scalars['Boolean']['output']>;
  options?: Maybe<Array<PremiumOption>>;
  owner?: Maybe<Company>;
  owner_id?: Maybe<Scalars['ID']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type PremiumOption = {
  __typename?: 'PremiumOption';
  id: Scalars['ID']['output'];
  name?: Maybe<Scalars['String']['output']>;
  amount?: Maybe<Scalars['Float']['output']>;
  is_active?: Maybe<Scalars['Boolean']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type CreatePremiumInput = {
  name?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  category?: InputMaybe<PremiumCategory>;
  type?: InputMaybe<PremiumType>;
  applicable_activity?: InputMaybe<PremiumActivity>;
  calculation_type?: InputMaybe<PremiumCalculationType>;
  amount?: InputMaybe<Scalars['Float']['input']>;
  included?: InputMaybe<Scalars['Boolean']['input']>;
  dependant_on_card?: InputMaybe<Scalars['Boolean']['input']>;
  is_active?: InputMaybe<Scalars['Boolean']['input']>;
  options?: InputMaybe<Array<PremiumOptionInput>>;
  owner?: InputMaybe<Scalars['ID']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type PremiumOptionInput = {
  name?: InputMaybe<Scalars['String']['input']>;
  amount?: InputMaybe<Scalars['Float']['input']>;
  is_active?: InputMaybe<Scalars['Boolean']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type PremiumCategory =
  | 'PAYOUT'
  | 'TRANSACTION'
  | 'UNKNOWN_VALUE';

export type PremiumType =
  | 'PER_TRANSACTION'
  | 'PER_KG'
  | 'PER_UNIT_CURRENCY'
  | 'PER_FARMER'
  | 'UNKNOWN_VALUE';

export type PremiumActivity =
  | 'BUY'
  | 'SELL'
  | 'UNKNOWN_VALUE';

export type PremiumCalculationType =
  | 'NORMAL'
  | 'MANUAL'
  | 'OPTIONS'
  | 'UNKNOWN_VALUE';

export type Company = Entity & {
  __typename?: 'Company';
  id: Scalars['ID']['output'];
  name?: Maybe<Scalars['String']['output']>;
  image?: Maybe<Scalars['String']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  phone?: Maybe<Scalars['String']['output']>;
  email?: Maybe<Scalars['String']['output']>;
  house_name?: Maybe<Scalars['String']['output']>;
  street?: Maybe<Scalars['String']['output']>;
  city?: Maybe<Scalars['String']['output']>;
  sub_province?: Maybe<Scalars['String']['output']>;
  province?: Maybe<Scalars['String']['output']>;
  country?: Maybe<Scalars['String']['output']>;
  zipcode?: Maybe<Scalars['String']['output']>;
  latitude?: Maybe<Scalars['Float']['output']>;
  longitude?: Maybe<Scalars['Float']['output']>;
  buy_enabled?: Maybe<Scalars['Boolean']['output']>;
  sell_enabled?: Maybe<Scalars['Boolean']['output']>;
  quality_correction?: Maybe<Scalars['Boolean']['output']>;
  allow_multiple_login?: Maybe<Scalars['Boolean']['output']>;
  currency?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  buyer?: Maybe<Company>;
  buyer_id?: Maybe<Scalars['ID']['output']>;
  entity_card?: Maybe<EntityCard>;
  entity_card_id?: Maybe<Scalars['ID']['output']>;
  members?: Maybe<Array<Maybe<User>>>;
  member_ids?: Maybe<Array<Scalars['ID']['output']>>;
  products?: Maybe<Array<Maybe<Product>>>;
  product_ids?: Maybe<Array<Scalars['ID']['output']>>;
  forms?: Maybe<Array<Form>>;
  field_visibilties?: Maybe<Array<FieldVisibility>>;
  owned_premiums?: Maybe<Array<Scalars['ID']['output']>>;
  owned_premium_details?: Maybe<Array<Maybe<Premium>>>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  productTransactions?: Maybe<ProductTransactionRows>;
  paymentTransactions?: Maybe<PaymentTransactionRows>;
  balance?: Maybe<CompanyBalance>;
};


export type CompanyProductTransactionsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
};


export type CompanyPaymentTransactionsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
};


export type CompanyBalanceArgs = {
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
};

export type FieldVisibility = {
  __typename?: 'FieldVisibility';
  id: Scalars['ID']['output'];
  name?: Maybe<Scalars['String']['output']>;
  visibility?: Maybe<Scalars['Boolean']['output']>;
  type?: Maybe<Scalars['String']['output']>;
  company?: Maybe<Company>;
  company_id?: Maybe<Scalars['ID']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type CreateCompanyInput = {
  name: Scalars['String']['input'];
  id?: InputMaybe<Scalars['ID']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  phone?: InputMaybe<Scalars['String']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
  house_name?: InputMaybe<Scalars['String']['input']>;
  street?: InputMaybe<Scalars['String']['input']>;
  city?: InputMaybe<Scalars['String']['input']>;
  sub_province?: InputMaybe<Scalars['String']['input']>;
  province?: InputMaybe<Scalars['String']['input']>;
  country?: InputMaybe<Scalars['String']['input']>;
  zipcode?: InputMaybe<Scalars['String']['input']>;
  latitude?: InputMaybe<Scalars['Float']['input']>;
  longitude?: InputMaybe<Scalars['Float']['input']>;
  buy_enabled?: InputMaybe<Scalars['Boolean']['input']>;
  sell_enabled?: InputMaybe<Scalars['Boolean']['input']>;
  quality_correction?: InputMaybe<Scalars['Boolean']['input']>;
  allow_multiple_login?: InputMaybe<Scalars['Boolean']['input']>;
  currency?: InputMaybe<Scalars['ID']['input']>;
  buyer?: InputMaybe<Scalars['ID']['input']>;
  entity_card?: InputMaybe<Scalars['ID']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type UpdateCompanyInput = {
  name?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  phone?: InputMaybe<Scalars['String']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
  house_name?: InputMaybe<Scalars['String']['input']>;
  street?: InputMaybe<Scalars['String']['input']>;
  city?: InputMaybe<Scalars['String']['input']>;
  sub_province?: InputMaybe<Scalars['String']['input']>;
  province?: InputMaybe<Scalars['String']['input']>;
  country?: InputMaybe<Scalars['String']['input']>;
  zipcode?: InputMaybe<Scalars['String']['input']>;
  latitude?: InputMaybe<Scalars['Float']['input']>;
  longitude?: InputMaybe<Scalars['Float']['input']>;
  buy_enabled?: InputMaybe<Scalars['Boolean']['input']>;
  sell_enabled?: InputMaybe<Scalars['Boolean']['input']>;
  quality_correction?: InputMaybe<Scalars['Boolean']['input']>;
  allow_multiple_login?: InputMaybe<Scalars['Boolean']['input']>;
  currency?: InputMaybe<Scalars['ID']['input']>;
  buyer?: InputMaybe<Scalars['ID']['input']>;
  entity_card?: InputMaybe<Scalars['ID']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type CompanyMember = {
  __typename?: 'CompanyMember';
  id: Scalars['ID']['output'];
  user?: Maybe<User>;
  company?: Maybe<Company>;
  company_id?: Maybe<Scalars['ID']['output']>;
  type?: Maybe<Scalars['String']['output']>;
  is_active?: Maybe<Scalars['Boolean']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type CreateCompanyMemberInput = {
  user?: InputMaybe<UserInput>;
  user_id?: InputMaybe<Scalars['ID']['input']>;
  company?: InputMaybe<Scalars['ID']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  is_active?: InputMaybe<Scalars['Boolean']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type EntityCard = {
  __typename?: 'EntityCard';
  id: Scalars['ID']['output'];
  card?: Maybe<Card>;
  entity?: Maybe<Entity>;
  entity_id?: Maybe<Scalars['ID']['output']>;
  is_active?: Maybe<Scalars['Boolean']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type CreateEntityCardInput = {
  card: CardInput;
  entity: Scalars['ID']['input'];
  id?: InputMaybe<Scalars['ID']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type CardInput = {
  card_id: Scalars['String']['input'];
  display_id?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type Entity = {
  id: Scalars['ID']['output'];
  name?: Maybe<Scalars['String']['output']>;
  image?: Maybe<Scalars['String']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  phone?: Maybe<Scalars['String']['output']>;
  email?: Maybe<Scalars['String']['output']>;
  house_name?: Maybe<Scalars['String']['output']>;
  street?: Maybe<Scalars['String']['output']>;
  city?: Maybe<Scalars['String']['output']>;
  sub_province?: Maybe<Scalars['String']['output']>;
  province?: Maybe<Scalars['String']['output']>;
  country?: Maybe<Scalars['String']['output']>;
  zipcode?: Maybe<Scalars['String']['output']>;
  latitude?: Maybe<Scalars['Float']['output']>;
  longitude?: Maybe<Scalars['Float']['output']>;
  entity_card?: Maybe<EntityCard>;
  buyer?: Maybe<Company>;
  buyer_id?: Maybe<Scalars['ID']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type UnknownEntity = Entity & {
  __typename?: 'UnknownEntity';
  id: Scalars['ID']['output'];
  name?: Maybe<Scalars['String']['output']>;
  image?: Maybe<Scalars['String']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  phone?: Maybe<Scalars['String']['output']>;
  email?: Maybe<Scalars['String']['output']>;
  house_name?: Maybe<Scalars['String']['output']>;
  street?: Maybe<Scalars['String']['output']>;
  city?: Maybe<Scalars['String']['output']>;
  sub_province?: Maybe<Scalars['String']['output']>;
  province?: Maybe<Scalars['String']['output']>;
  country?: Maybe<Scalars['String']['output']>;
  zipcode?: Maybe<Scalars['String']['output']>;
  latitude?: Maybe<Scalars['Float']['output']>;
  longitude?: Maybe<Scalars['Float']['output']>;
  entity_card?: Maybe<EntityCard>;
  buyer?: Maybe<Company>;
  buyer_id?: Maybe<Scalars['ID']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type Farmer = Entity & {
  __typename?: 'Farmer';
  id: Scalars['ID']['output'];
  name?: Maybe<Scalars['String']['output']>;
  first_name?: Maybe<Scalars['String']['output']>;
  last_name?: Maybe<Scalars['String']['output']>;
  number?: Maybe<Scalars['String']['output']>;
  identification_no?: Maybe<Scalars['String']['output']>;
  reference_number?: Maybe<Scalars['String']['output']>;
  date_of_birth?: Maybe<Scalars['Date']['output']>;
  gender?: Maybe<Scalars['String']['output']>;
  consent_status?: Maybe<ConsentStatus>;
  consent_status_raw?: Maybe<Scalars['String']['output']>;
  image?: Maybe<Scalars['String']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  phone?: Maybe<Scalars['String']['output']>;
  email?: Maybe<Scalars['String']['output']>;
  house_name?: Maybe<Scalars['String']['output']>;
  street?: Maybe<Scalars['String']['output']>;
  city?: Maybe<Scalars['String']['output']>;
  sub_province?: Maybe<Scalars['String']['output']>;
  province?: Maybe<Scalars['String']['output']>;
  country?: Maybe<Scalars['String']['output']>;
  zipcode?: Maybe<Scalars['String']['output']>;
  latitude?: Maybe<Scalars['Float']['output']>;
  longitude?: Maybe<Scalars['Float']['output']>;
  entity_card?: Maybe<EntityCard>;
  submission?: Maybe<Submission>;
  plots?: Maybe<Scalars['JSON']['output']>;
  buyer?: Maybe<Company>;
  buyer_id?: Maybe<Scalars['ID']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  productTransactions?: Maybe<ProductTransactionRows>;
  paymentTransactions?: Maybe<PaymentTransactionRows>;
  totals?: Maybe<ProductTransactionTotals>;
};


export type FarmerProductTransactionsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
};


export type FarmerPaymentTransactionsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
};


export type FarmerTotalsArgs = {
  groupBy?: InputMaybe<Array<ProductTransactionGroup>>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
};

export type ConsentStatus =
  | 'GRANTED'
  | 'NOT_GRANTED'
  | 'UNKNOWN'
  | 'UNKNOWN_VALUE';

export type CreateFarmerInput = {
  first_name: Scalars['String']['input'];
  last_name?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  identification_no?: InputMaybe<Scalars['String']['input']>;
  reference_number?: InputMaybe<Scalars['String']['input']>;
  date_of_birth?: InputMaybe<Scalars['Date']['input']>;
  gender?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  phone?: InputMaybe<Scalars['String']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
  house_name?: InputMaybe<Scalars['String']['input']>;
  street?: InputMaybe<Scalars['String']['input']>;
  city?: InputMaybe<Scalars['String']['input']>;
  sub_province?: InputMaybe<Scalars['String']['input']>;
  province?: InputMaybe<Scalars['String']['input']>;
  country?: InputMaybe<Scalars['String']['input']>;
  zipcode?: InputMaybe<Scalars['String']['input']>;
  latitude?: InputMaybe<Scalars['Float']['input']>;
  longitude?: InputMaybe<Scalars['Float']['input']>;
  buyer?: InputMaybe<Scalars['ID']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type Form = {
  __typename?: 'Form';
  id: Scalars['ID']['output'];
  form_type?: Maybe<FormType>;
  form_type_raw?: Maybe<Scalars['String']['output']>;
  fields?: Maybe<Array<FormField>>;
  field_config?: Maybe<Array<FormFieldConfig>>;
  products?: Maybe<Array<Product>>;
  owner?: Maybe<Company>;
  owner_id?: Maybe<Scalars['ID']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type FormType =
  | 'TRANSACTION'
  | 'FARMER'
  | 'PAYMENT'
  | 'PRODUCT'
  | 'UNKNOWN_VALUE';

export type FormField = {
  __typename?: 'FormField';
  id: Scalars['ID']['output'];
  label?: Maybe<Scalars['String']['output']>;
  label_en_us?: Maybe<Scalars['String']['output']>;
  label_en_uk?: Maybe<Scalars['String']['output']>;
  label_fr?: Maybe<Scalars['String']['output']>;
  label_nl?: Maybe<Scalars['String']['output']>;
  label_ind?: Maybe<Scalars['String']['output']>;
  localized_label?: Maybe<Scalars['String']['output']>;
  type?: Maybe<Scalars['String']['output']>;
  key?: Maybe<Scalars['String']['output']>;
  required?: Maybe<Scalars['Boolean']['output']>;
  default_value?: Maybe<Scalars['String']['output']>;
  options?: Maybe<Scalars['String']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};


export type FormFieldLocalized_LabelArgs = {
  language?: InputMaybe<Scalars['String']['input']>;
};

export type FormFieldConfig = {
  __typename?: 'FormFieldConfig';
  id: Scalars['ID']['output'];
  label?: Maybe<Scalars['String']['output']>;
  key?: Maybe<Scalars['String']['output']>;
  visibility?: Maybe<Scalars['Boolean']['output']>;
  required?: Maybe<Scalars['Boolean']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type Submission = {
  __typename?: 'Submission';
  id: Scalars['ID']['output'];
  form?: Maybe<Form>;
  form_id?: Maybe<Scalars['ID']['output']>;
  form_details?: Maybe<Form>;
  values?: Maybe<Array<SubmissionValue>>;
  product?: Maybe<Product>;
  product_id?: Maybe<Scalars['ID']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type SubmissionValue = {
  __typename?: 'SubmissionValue';
  id: Scalars['ID']['output'];
  field?: Maybe<FormField>;
  field_id?: Maybe<Scalars['ID']['output']>;
  field_details?: Maybe<FormField>;
  value?: Maybe<Scalars['String']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type CreateFormInput = {
  fields: Array<FormFieldInput>;
  owner: Scalars['ID']['input'];
  id?: InputMaybe<Scalars['ID']['input']>;
  field_config?: InputMaybe<Array<FormFieldConfigInput>>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type FormFieldInput = {
  label?: InputMaybe<Scalars['String']['input']>;
  label_en_us?: InputMaybe<Scalars['String']['input']>;
  label_en_uk?: InputMaybe<Scalars['String']['input']>;
  label_fr?: InputMaybe<Scalars['String']['input']>;
  label_nl?: InputMaybe<Scalars['String']['input']>;
  label_ind?: InputMaybe<Scalars['String']['input']>;
  type?: InputMaybe<Scalars['String']['input']>;
  key?: InputMaybe<Scalars['String']['input']>;
  required?: InputMaybe<Scalars['Boolean']['input']>;
  default_value?: InputMaybe<Scalars['String']['input']>;
  options?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type FormFieldConfigInput = {
  label?: InputMaybe<Scalars['String']['input']>;
  key?: InputMaybe<Scalars['String']['input']>;
  visibility?: InputMaybe<Scalars['Boolean']['input']>;
  required?: InputMaybe<Scalars['Boolean']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type SubmissionInput = {
  form: Scalars['ID']['input'];
  values: Array<SubmissionValueInput>;
  product?: InputMaybe<Scalars['ID']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type SubmissionValueInput = {
  field: Scalars['ID']['input'];
  value: Scalars['String']['input'];
  id?: InputMaybe<Scalars['ID']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type PaymentTransaction = {
  __typename?: 'PaymentTransaction';
  id: Scalars['ID']['output'];
  payment_type?: Maybe<PaymentType>;
  payment_type_raw?: Maybe<Scalars['String']['output']>;
  source?: Maybe<Entity>;
  source_id?: Maybe<Scalars['ID']['output']>;
  destination?: Maybe<Entity>;
  destination_id?: Maybe<Scalars['ID']['output']>;
  amount?: Maybe<Scalars['Float']['output']>;
  currency?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  currency_details?: Maybe<Currency>;
  premium?: Maybe<Premium>;
  premium_id?: Maybe<Scalars['ID']['output']>;
  premium_details?: Maybe<Premium>;
  selected_option?: Maybe<PremiumOption>;
  selected_option_id?: Maybe<Scalars['ID']['output']>;
  transaction?: Maybe<ProductTransaction>;
  transaction_id?: Maybe<Scalars['ID']['output']>;
  type?: Maybe<Scalars['String']['output']>;
  number?: Maybe<Scalars['String']['output']>;
  date?: Maybe<Scalars['DateTime']['output']>;
  invoice_number?: Maybe<Scalars['String']['output']>;
  invoice?: Maybe<Scalars['String']['output']>;
  method?: Maybe<VerificationMethod>;
  method_raw?: Maybe<Scalars['String']['output']>;
  verification_latitude?: Maybe<Scalars['Float']['output']>;
  verification_longitude?: Maybe<Scalars['Float']['output']>;
  card?: Maybe<Card>;
  card_id?: Maybe<Scalars['ID']['output']>;
  submissions?: Maybe<Array<Scalars['ID']['output']>>;
  submission_details?: Maybe<Array<Maybe<Submission>>>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
};

export type PaymentType =
  | 'TRANSACTION'
  | 'PREMIUM'
  | 'TRANSACTION_PREMIUM'
  | 'UNKNOWN_VALUE';

export type CreatePaymentTransactionInput = {
  source?: InputMaybe<Scalars['ID']['input']>;
  destination?: InputMaybe<Scalars['ID']['input']>;
  amount?: InputMaybe<Scalars['Float']['input']>;
  currency?: InputMaybe<Scalars['ID']['input']>;
  premium?: InputMaybe<Scalars['ID']['input']>;
  selected_option?: InputMaybe<Scalars['ID']['input']>;
  transaction?: InputMaybe<Scalars['ID']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  date?: InputMaybe<Scalars['DateTime']['input']>;
  invoice_number?: InputMaybe<Scalars['String']['input']>;
  verification_latitude?: InputMaybe<Scalars['Float']['input']>;
  verification_longitude?: InputMaybe<Scalars['Float']['input']>;
  card?: InputMaybe<Scalars['ID']['input']>;
  submissions?: InputMaybe<Array<Scalars['ID']['input']>>;
  submission_details?: InputMaybe<Array<SubmissionInput>>;
  id?: InputMaybe<Scalars['ID']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type PaymentTransactionInput = {
  source?: InputMaybe<Scalars['ID']['input']>;
  destination?: InputMaybe<Scalars['ID']['input']>;
  amount?: InputMaybe<Scalars['Float']['input']>;
  currency?: InputMaybe<Scalars['ID']['input']>;
  premium?: InputMaybe<Scalars['ID']['input']>;
  selected_option?: InputMaybe<Scalars['ID']['input']>;
  transaction?: InputMaybe<Scalars['ID']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  date?: InputMaybe<Scalars['DateTime']['input']>;
  invoice_number?: InputMaybe<Scalars['String']['input']>;
  verification_latitude?: InputMaybe<Scalars['Float']['input']>;
  verification_longitude?: InputMaybe<Scalars['Float']['input']>;
  card?: InputMaybe<Scalars['ID']['input']>;
  submissions?: InputMaybe<Array<Scalars['ID']['input']>>;
  id?: InputMaybe<Scalars['ID']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type ProductTransaction = {
  __typename?: 'ProductTransaction';
  id: Scalars['ID']['output'];
  source?: Maybe<Entity>;
  source_id?: Maybe<Scalars['ID']['output']>;
  destination?: Maybe<Entity>;
  destination_id?: Maybe<Scalars['ID']['output']>;
  product?: Maybe<Product>;
  product_id?: Maybe<Scalars['ID']['output']>;
  quantity?: Maybe<Scalars['Decimal']['output']>;
  source_quantity?: Maybe<Scalars['Decimal']['output']>;
  current_quantity?: Maybe<Scalars['Decimal']['output']>;
  is_deleted?: Maybe<Scalars['Boolean']['output']>;
  quality_correction?: Maybe<Scalars['Float']['output']>;
  amount?: Maybe<Scalars['Decimal']['output']>;
  currency?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  currency_details?: Maybe<Currency>;
  type?: Maybe<Scalars['String']['output']>;
  number?: Maybe<Scalars['String']['output']>;
  date?: Maybe<Scalars['DateTime']['output']>;
  invoice_number?: Maybe<Scalars['String']['output']>;
  invoice?: Maybe<Scalars['String']['output']>;
  method?: Maybe<VerificationMethod>;
  method_raw?: Maybe<Scalars['String']['output']>;
  verification_latitude?: Maybe<Scalars['Float']['output']>;
  verification_longitude?: Maybe<Scalars['Float']['output']>;
  card?: Maybe<Card>;
  card_id?: Maybe<Scalars['ID']['output']>;
  card_details?: Maybe<Card>;
  parents?: Maybe<Array<Maybe<ProductTransaction>>>;
  parent_ids?: Maybe<Array<Scalars['ID']['output']>>;
  transaction_payments?: Maybe<Array<PaymentTransaction>>;
  submissions?: Maybe<Array<Submission>>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  children?: Maybe<ProductTransactionRows>;
  origin?: Maybe<Trace>;
  use?: Maybe<Trace>;
};


export type ProductTransactionChildrenArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
};


export type ProductTransactionOriginArgs = {
  depth?: InputMaybe<Scalars['Int']['input']>;
};


export type ProductTransactionUseArgs = {
  depth?: InputMaybe<Scalars['Int']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
};

export type VerificationMethod =
  | 'CARD'
  | 'INVOICE'
  | 'NONE'
  | 'UNKNOWN_VALUE';

export type CreateProductTransactionInput = {
  source?: InputMaybe<Scalars['ID']['input']>;
  destination?: InputMaybe<Scalars['ID']['input']>;
  product?: InputMaybe<Scalars['ID']['input']>;
  quantity?: InputMaybe<Scalars['Decimal']['input']>;
  quality_correction?: InputMaybe<Scalars['Float']['input']>;
  amount?: InputMaybe<Scalars['Decimal']['input']>;
  currency?: InputMaybe<Scalars['ID']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  date?: InputMaybe<Scalars['DateTime']['input']>;
  invoice_number?: InputMaybe<Scalars['String']['input']>;
  verification_latitude?: InputMaybe<Scalars['Float']['input']>;
  verification_longitude?: InputMaybe<Scalars['Float']['input']>;
  card?: InputMaybe<Scalars['ID']['input']>;
  parents?: InputMaybe<Array<Scalars['ID']['input']>>;
  transaction_payments?: InputMaybe<Array<PaymentTransactionInput>>;
  submissions?: InputMaybe<Array<SubmissionInput>>;
  id?: InputMaybe<Scalars['ID']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type User = {
  __typename?: 'User';
  id: Scalars['ID']['output'];
  first_name?: Maybe<Scalars['String']['output']>;
  last_name?: Maybe<Scalars['String']['output']>;
  email?: Maybe<Scalars['String']['output']>;
  updated_email?: Maybe<Scalars['String']['output']>;
  dob?: Maybe<Scalars['Date']['output']>;
  phone?: Maybe<Scalars['String']['output']>;
  address?: Maybe<Scalars['String']['output']>;
  image?: Maybe<Scalars['String']['output']>;
  managing_entitys?: Maybe<Array<Maybe<Entity>>>;
  managing_entity_ids?: Maybe<Array<Scalars['ID']['output']>>;
  default_entity?: Maybe<Entity>;
  default_entity_id?: Maybe<Scalars['ID']['output']>;
  accepted_policy?: Maybe<Scalars['ID']['output']>;
  current_policy?: Maybe<Scalars['ID']['output']>;
  /** @deprecated Use `current_policy_accepted`. May be removed after 2027-06-30. */
  policy_accepted?: Maybe<Scalars['String']['output']>;
  current_policy_accepted?: Maybe<Scalars['Boolean']['output']>;
  language?: Maybe<Scalars['String']['output']>;
};

export type UserInput = {
  id?: InputMaybe<Scalars['ID']['input']>;
  first_name?: InputMaybe<Scalars['String']['input']>;
  last_name?: InputMaybe<Scalars['String']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
  updated_email?: InputMaybe<Scalars['String']['input']>;
  dob?: InputMaybe<Scalars['Date']['input']>;
  phone?: InputMaybe<Scalars['String']['input']>;
  address?: InputMaybe<Scalars['String']['input']>;
  default_entity?: InputMaybe<Scalars['ID']['input']>;
  accepted_policy?: InputMaybe<Scalars['ID']['input']>;
  language?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateUserInput = {
  first_name?: InputMaybe<Scalars['String']['input']>;
  last_name?: InputMaybe<Scalars['String']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
  updated_email?: InputMaybe<Scalars['String']['input']>;
  dob?: InputMaybe<Scalars['Date']['input']>;
  phone?: InputMaybe<Scalars['String']['input']>;
  address?: InputMaybe<Scalars['String']['input']>;
  default_entity?: InputMaybe<Scalars['ID']['input']>;
  accepted_policy?: InputMaybe<Scalars['ID']['input']>;
  language?: InputMaybe<Scalars['String']['input']>;
};

export type FarmerConnection = {
  __typename?: 'FarmerConnection';
  count: Scalars['Int']['output'];
  results: Array<Farmer>;
  next?: Maybe<Scalars['String']['output']>;
  previous?: Maybe<Scalars['String']['output']>;
  edges: Array<FarmerEdge>;
  pageInfo: PageInfo;
};

export type FarmerEdge = {
  __typename?: 'FarmerEdge';
  cursor: Scalars['String']['output'];
  node: Farmer;
};

export type EntityCardConnection = {
  __typename?: 'EntityCardConnection';
  count: Scalars['Int']['output'];
  results: Array<EntityCard>;
  next?: Maybe<Scalars['String']['output']>;
  previous?: Maybe<Scalars['String']['output']>;
  edges: Array<EntityCardEdge>;
  pageInfo: PageInfo;
};

export type EntityCardEdge = {
  __typename?: 'EntityCardEdge';
  cursor: Scalars['String']['output'];
  node: EntityCard;
};

export type ProductConnection = {
  __typename?: 'ProductConnection';
  count: Scalars['Int']['output'];
  results: Array<Product>;
  next?: Maybe<Scalars['String']['output']>;
  previous?: Maybe<Scalars['String']['output']>;
  edges: Array<ProductEdge>;
  pageInfo: PageInfo;
};

export type ProductEdge = {
  __typename?: 'ProductEdge';
  cursor: Scalars['String']['output'];
  node: Product;
};

export type CardConnection = {
  __typename?: 'CardConnection';
  count: Scalars['Int']['output'];
  results: Array<Card>;
  next?: Maybe<Scalars['String']['output']>;
  previous?: Maybe<Scalars['String']['output']>;
  edges: Array<CardEdge>;
  pageInfo: PageInfo;
};

export type CardEdge = {
  __typename?: 'CardEdge';
  cursor: Scalars['String']['output'];
  node: Card;
};

export type CurrencyConnection = {
  __typename?: 'CurrencyConnection';
  count: Scalars['Int']['output'];
  results: Array<Currency>;
  next?: Maybe<Scalars['String']['output']>;
  previous?: Maybe<Scalars['String']['output']>;
  edges: Array<CurrencyEdge>;
  pageInfo: PageInfo;
};

export type CurrencyEdge = {
  __typename?: 'CurrencyEdge';
  cursor: Scalars['String']['output'];
  node: Currency;
};

export type PremiumConnection = {
  __typename?: 'PremiumConnection';
  count: Scalars['Int']['output'];
  results: Array<Premium>;
  next?: Maybe<Scalars['String']['output']>;
  previous?: Maybe<Scalars['String']['output']>;
  edges: Array<PremiumEdge>;
  pageInfo: PageInfo;
};

export type PremiumEdge = {
  __typename?: 'PremiumEdge';
  cursor: Scalars['String']['output'];
  node: Premium;
};

export type FormConnection = {
  __typename?: 'FormConnection';
  count: Scalars['Int']['output'];
  results: Array<Form>;
  next?: Maybe<Scalars['String']['output']>;
  previous?: Maybe<Scalars['String']['output']>;
  edges: Array<FormEdge>;
  pageInfo: PageInfo;
};

export type FormEdge = {
  __typename?: 'FormEdge';
  cursor: Scalars['String']['output'];
  node: Form;
};

export type ProductTransactionConnection = {
  __typename?: 'ProductTransactionConnection';
  count: Scalars['Int']['output'];
  results: Array<ProductTransaction>;
  next?: Maybe<Scalars['String']['output']>;
  previous?: Maybe<Scalars['String']['output']>;
  edges: Array<ProductTransactionEdge>;
  pageInfo: PageInfo;
};

export type ProductTransactionEdge = {
  __typename?: 'ProductTransactionEdge';
  cursor: Scalars['String']['output'];
  node: ProductTransaction;
};

export type PaymentTransactionConnection = {
  __typename?: 'PaymentTransactionConnection';
  count: Scalars['Int']['output'];
  results: Array<PaymentTransaction>;
  next?: Maybe<Scalars['String']['output']>;
  previous?: Maybe<Scalars['String']['output']>;
  edges: Array<PaymentTransactionEdge>;
  pageInfo: PageInfo;
};

export type PaymentTransactionEdge = {
  __typename?: 'PaymentTransactionEdge';
  cursor: Scalars['String']['output'];
  node: PaymentTransaction;
};

export type ProductTransactionRows = {
  __typename?: 'ProductTransactionRows';
  results: Array<ProductTransaction>;
  complete: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
};

export type PaymentTransactionRows = {
  __typename?: 'PaymentTransactionRows';
  results: Array<PaymentTransaction>;
  complete: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
};

export type WriteInput = {
  key: Scalars['String']['input'];
  ref?: InputMaybe<Scalars['String']['input']>;
  write: Write;
};

export type WriteResult = {
  __typename?: 'WriteResult';
  key: Scalars['String']['output'];
  ref?: Maybe<Scalars['String']['output']>;
  status: WriteStatus;
  object?: Maybe<WrittenObject>;
  error?: Maybe<WriteError>;
};

export type WriteStatus =
  | 'DONE'
  | 'REPLAYED'
  | 'REFUSED'
  | 'UNKNOWN'
  | 'NOT_TRIED';

export type WriteError = {
  __typename?: 'WriteError';
  code: Scalars['String']['output'];
  message: Scalars['String']['output'];
  retryable: Scalars['Boolean']['output'];
  fields?: Maybe<Array<WriteFieldError>>;
  upstream_status?: Maybe<Scalars['Int']['output']>;
  retry_after?: Maybe<Scalars['Int']['output']>;
};

export type WriteFieldError = {
  __typename?: 'WriteFieldError';
  path: Array<Scalars['String']['output']>;
  message: Scalars['String']['output'];
};

export type Write =
  { createFarmer: CreateFarmerInput; createCompany?: never; updateCompany?: never; createCompanyMember?: never; updateUser?: never; createEntityCard?: never; createPremium?: never; createForm?: never; createProductTransaction?: never; createPaymentTransaction?: never; }
  |  { createFarmer?: never; createCompany: CreateCompanyInput; updateCompany?: never; createCompanyMember?: never; updateUser?: never; createEntityCard?: never; createPremium?: never; createForm?: never; createProductTransaction?: never; createPaymentTransaction?: never; }
  |  { createFarmer?: never; createCompany?: never; updateCompany: UpdateCompanyWrite; createCompanyMember?: never; updateUser?: never; createEntityCard?: never; createPremium?: never; createForm?: never; createProductTransaction?: never; createPaymentTransaction?: never; }
  |  { createFarmer?: never; createCompany?: never; updateCompany?: never; createCompanyMember: CreateCompanyMemberInput; updateUser?: never; createEntityCard?: never; createPremium?: never; createForm?: never; createProductTransaction?: never; createPaymentTransaction?: never; }
  |  { createFarmer?: never; createCompany?: never; updateCompany?: never; createCompanyMember?: never; updateUser: UpdateUserWrite; createEntityCard?: never; createPremium?: never; createForm?: never; createProductTransaction?: never; createPaymentTransaction?: never; }
  |  { createFarmer?: never; createCompany?: never; updateCompany?: never; createCompanyMember?: never; updateUser?: never; createEntityCard: CreateEntityCardInput; createPremium?: never; createForm?: never; createProductTransaction?: never; createPaymentTransaction?: never; }
  |  { createFarmer?: never; createCompany?: never; updateCompany?: never; createCompanyMember?: never; updateUser?: never; createEntityCard?: never; createPremium: CreatePremiumInput; createForm?: never; createProductTransaction?: never; createPaymentTransaction?: never; }
  |  { createFarmer?: never; createCompany?: never; updateCompany?: never; createCompanyMember?: never; updateUser?: never; createEntityCard?: never; createPremium?: never; createForm: CreateFormInput; createProductTransaction?: never; createPaymentTransaction?: never; }
  |  { createFarmer?: never; createCompany?: never; updateCompany?: never; createCompanyMember?: never; updateUser?: never; createEntityCard?: never; createPremium?: never; createForm?: never; createProductTransaction: CreateProductTransactionInput; createPaymentTransaction?: never; }
  |  { createFarmer?: never; createCompany?: never; updateCompany?: never; createCompanyMember?: never; updateUser?: never; createEntityCard?: never; createPremium?: never; createForm?: never; createProductTransaction?: never; createPaymentTransaction: CreatePaymentTransactionInput; };

export type UpdateCompanyWrite = {
  id: Scalars['ID']['input'];
  input: UpdateCompanyInput;
  if_updated_on?: InputMaybe<Scalars['DateTime']['input']>;
};

export type UpdateUserWrite = {
  id: Scalars['ID']['input'];
  input: UpdateUserInput;
  if_unchanged?: InputMaybe<UpdateUserInput>;
};

export type WrittenObject = Farmer | Company | CompanyMember | User | EntityCard | Premium | Form | ProductTransaction | PaymentTransaction;

export type Trace = {
  __typename?: 'Trace';
  lots: Array<TracedLot>;
  sources: Array<TracedParty>;
  destinations: Array<TracedParty>;
  complete: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
  looked_back_to?: Maybe<Scalars['DateTime']['output']>;
};

export type TracedLot = {
  __typename?: 'TracedLot';
  transaction?: Maybe<ProductTransaction>;
  transaction_id: Scalars['ID']['output'];
  depth: Scalars['Int']['output'];
  parents: Array<Scalars['ID']['output']>;
  children: Array<Scalars['ID']['output']>;
};

export type TracedParty = {
  __typename?: 'TracedParty';
  entity?: Maybe<Entity>;
  entity_id?: Maybe<Scalars['ID']['output']>;
  lots: Array<Scalars['ID']['output']>;
  quantity?: Maybe<Scalars['Decimal']['output']>;
};

export type ProductTransactionGroup =
  | 'PRODUCT'
  | 'SOURCE'
  | 'DESTINATION'
  | 'MONTH';

export type ProductTransactionTotals = {
  __typename?: 'ProductTransactionTotals';
  groups: Array<ProductTransactionTotal>;
  rows: Scalars['Int']['output'];
  complete: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
};

export type ProductTransactionTotal = {
  __typename?: 'ProductTransactionTotal';
  product?: Maybe<Product>;
  product_id?: Maybe<Scalars['ID']['output']>;
  source?: Maybe<Entity>;
  source_id?: Maybe<Scalars['ID']['output']>;
  destination?: Maybe<Entity>;
  destination_id?: Maybe<Scalars['ID']['output']>;
  month?: Maybe<Scalars['String']['output']>;
  currency?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  count: Scalars['Int']['output'];
  quantity?: Maybe<Scalars['Decimal']['output']>;
  amount?: Maybe<Scalars['Decimal']['output']>;
  premiums: Array<ProductTransactionPremiumTotal>;
};

export type ProductTransactionPremiumTotal = {
  __typename?: 'ProductTransactionPremiumTotal';
  premium?: Maybe<Premium>;
  premium_id?: Maybe<Scalars['ID']['output']>;
  currency?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  count: Scalars['Int']['output'];
  amount?: Maybe<Scalars['Decimal']['output']>;
};

export type CompanyBalance = {
  __typename?: 'CompanyBalance';
  products: Array<CompanyProductBalance>;
  rows: Scalars['Int']['output'];
  complete: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
};

export type CompanyProductBalance = {
  __typename?: 'CompanyProductBalance';
  product?: Maybe<Product>;
  product_id?: Maybe<Scalars['ID']['output']>;
  in?: Maybe<Scalars['Decimal']['output']>;
  out?: Maybe<Scalars['Decimal']['output']>;
  stock?: Maybe<Scalars['Decimal']['output']>;
  left?: Maybe<Scalars['Decimal']['output']>;
};

export type PaymentTransactionGroup =
  | 'SOURCE'
  | 'DESTINATION'
  | 'PREMIUM'
  | 'PAYMENT_TYPE'
  | 'MONTH';

export type PaymentTransactionTotals = {
  __typename?: 'PaymentTransactionTotals';
  groups: Array<PaymentTransactionTotal>;
  rows: Scalars['Int']['output'];
  complete: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
};

export type PaymentTransactionTotal = {
  __typename?: 'PaymentTransactionTotal';
  source?: Maybe<Entity>;
  source_id?: Maybe<Scalars['ID']['output']>;
  destination?: Maybe<Entity>;
  destination_id?: Maybe<Scalars['ID']['output']>;
  premium?: Maybe<Premium>;
  premium_id?: Maybe<Scalars['ID']['output']>;
  payment_type?: Maybe<PaymentType>;
  payment_type_raw?: Maybe<Scalars['String']['output']>;
  month?: Maybe<Scalars['String']['output']>;
  currency?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  count: Scalars['Int']['output'];
  amount?: Maybe<Scalars['Decimal']['output']>;
};

export type CardHolder = {
  __typename?: 'CardHolder';
  holder?: Maybe<Entity>;
  holder_id?: Maybe<Scalars['ID']['output']>;
  complete: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
};

export type FarmerCandidateInput = {
  first_name?: InputMaybe<Scalars['String']['input']>;
  last_name?: InputMaybe<Scalars['String']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  phone?: InputMaybe<Scalars['String']['input']>;
  identification_no?: InputMaybe<Scalars['String']['input']>;
};

export type FarmerCandidates = {
  __typename?: 'FarmerCandidates';
  candidates: Array<FarmerCandidate>;
  complete: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
};

export type FarmerCandidate = {
  __typename?: 'FarmerCandidate';
  farmer?: Maybe<Farmer>;
  agree: Array<Scalars['String']['output']>;
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;



/** Mapping of union types */
export type ResolversUnionTypes<_RefType extends Record<string, unknown>> = {
  WrittenObject:
    | ( components['schemas']['Farmer'] )
    | ( components['schemas']['CompanyDetail'] )
    | ( components['schemas']['CompanyMember'] )
    | ( components['schemas']['User'] )
    | ( components['schemas']['EntityCard'] )
    | ( components['schemas']['Premium'] )
    | ( components['schemas']['Form'] )
    | ( components['schemas']['ProductTransaction'] )
    | ( components['schemas']['PaymentTransaction'] )
  ;
};

/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Entity:
    | ( components['schemas']['CompanyDetail'] )
    | ( { id: string } )
    | ( components['schemas']['Farmer'] )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Date: ResolverTypeWrapper<Scalars['Date']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Upload: ResolverTypeWrapper<Scalars['Upload']['output']>;
  Card: ResolverTypeWrapper<components['schemas']['Card']>;
  Product: ResolverTypeWrapper<components['schemas']['Product']>;
  Currency: ResolverTypeWrapper<components['schemas']['Currency']>;
  Premium: ResolverTypeWrapper<components['schemas']['Premium']>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  PremiumOption: ResolverTypeWrapper<components['schemas']['PremiumOption']>;
  CreatePremiumInput: CreatePremiumInput;
  PremiumOptionInput: PremiumOptionInput;
  PremiumCategory: PremiumCategory;
  PremiumType: PremiumType;
  PremiumActivity: PremiumActivity;
  PremiumCalculationType: PremiumCalculationType;
  Company: ResolverTypeWrapper<components['schemas']['CompanyDetail']>;
  FieldVisibility: ResolverTypeWrapper<components['schemas']['FieldVisibility']>;
  CreateCompanyInput: CreateCompanyInput;
  UpdateCompanyInput: UpdateCompanyInput;
  CompanyMember: ResolverTypeWrapper<components['schemas']['CompanyMember']>;
  CreateCompanyMemberInput: CreateCompanyMemberInput;
  EntityCard: ResolverTypeWrapper<components['schemas']['EntityCard']>;
  CreateEntityCardInput: CreateEntityCardInput;
  CardInput: CardInput;
  Entity: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Entity']>;
  UnknownEntity: ResolverTypeWrapper<{ id: string }>;
  Farmer: ResolverTypeWrapper<components['schemas']['Farmer']>;
  ConsentStatus: ConsentStatus;
  CreateFarmerInput: CreateFarmerInput;
  Form: ResolverTypeWrapper<components['schemas']['Form']>;
  FormType: FormType;
  FormField: ResolverTypeWrapper<components['schemas']['FormField']>;
  FormFieldConfig: ResolverTypeWrapper<components['schemas']['FormFieldConfig']>;
  Submission: ResolverTypeWrapper<components['schemas']['Submission']>;
  SubmissionValue: ResolverTypeWrapper<components['schemas']['SubmissionValue']>;
  CreateFormInput: CreateFormInput;
  FormFieldInput: FormFieldInput;
  FormFieldConfigInput: FormFieldConfigInput;
  SubmissionInput: SubmissionInput;
  SubmissionValueInput: SubmissionValueInput;
  PaymentTransaction: ResolverTypeWrapper<components['schemas']['PaymentTransaction']>;
  PaymentType: PaymentType;
  CreatePaymentTransactionInput: CreatePaymentTransactionInput;
  PaymentTransactionInput: PaymentTransactionInput;
  ProductTransaction: ResolverTypeWrapper<components['schemas']['ProductTransaction']>;
  VerificationMethod: VerificationMethod;
  CreateProductTransactionInput: CreateProductTransactionInput;
  User: ResolverTypeWrapper<components['schemas']['User']>;
  UserInput: UserInput;
  UpdateUserInput: UpdateUserInput;
  FarmerConnection: ResolverTypeWrapper<Connection<components['schemas']['Farmer']>>;
  FarmerEdge: ResolverTypeWrapper<Omit<FarmerEdge, 'node'> & { node: ResolversTypes['Farmer'] }>;
  EntityCardConnection: ResolverTypeWrapper<Connection<components['schemas']['EntityCard']>>;
  EntityCardEdge: ResolverTypeWrapper<Omit<EntityCardEdge, 'node'> & { node: ResolversTypes['EntityCard'] }>;
  ProductConnection: ResolverTypeWrapper<Connection<components['schemas']['Product']>>;
  ProductEdge: ResolverTypeWrapper<Omit<ProductEdge, 'node'> & { node: ResolversTypes['Product'] }>;
  CardConnection: ResolverTypeWrapper<Connection<components['schemas']['Card']>>;
  CardEdge: ResolverTypeWrapper<Omit<CardEdge, 'node'> & { node: ResolversTypes['Card'] }>;
  CurrencyConnection: ResolverTypeWrapper<Connection<components['schemas']['Currency']>>;
  CurrencyEdge: ResolverTypeWrapper<Omit<CurrencyEdge, 'node'> & { node: ResolversTypes['Currency'] }>;
  PremiumConnection: ResolverTypeWrapper<Connection<components['schemas']['Premium']>>;
  PremiumEdge: ResolverTypeWrapper<Omit<PremiumEdge, 'node'> & { node: ResolversTypes['Premium'] }>;
  FormConnection: ResolverTypeWrapper<Connection<components['schemas']['Form']>>;
  FormEdge: ResolverTypeWrapper<Omit<FormEdge, 'node'> & { node: ResolversTypes['Form'] }>;
  ProductTransactionConnection: ResolverTypeWrapper<Connection<components['schemas']['ProductTransaction']>>;
  ProductTransactionEdge: ResolverTypeWrapper<Omit<ProductTransactionEdge, 'node'> & { node: ResolversTypes['ProductTransaction'] }>;
  PaymentTransactionConnection: ResolverTypeWrapper<Connection<components['schemas']['PaymentTransaction']>>;
  PaymentTransactionEdge: ResolverTypeWrapper<Omit<PaymentTransactionEdge, 'node'> & { node: ResolversTypes['PaymentTransaction'] }>;
  ProductTransactionRows: ResolverTypeWrapper<FoundRows<components['schemas']['ProductTransaction']>>;
  PaymentTransactionRows: ResolverTypeWrapper<FoundRows<components['schemas']['PaymentTransaction']>>;
  WriteInput: WriteInput;
  WriteResult: ResolverTypeWrapper<Omit<WriteResult, 'object'> & { object?: Maybe<ResolversTypes['WrittenObject']> }>;
  WriteStatus: WriteStatus;
  WriteError: ResolverTypeWrapper<WriteError>;
  WriteFieldError: ResolverTypeWrapper<WriteFieldError>;
  Write: Write;
  UpdateCompanyWrite: UpdateCompanyWrite;
  UpdateUserWrite: UpdateUserWrite;
  WrittenObject: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['WrittenObject']>;
  Trace: ResolverTypeWrapper<Omit<Trace, 'lots' | 'sources' | 'destinations'> & { lots: Array<ResolversTypes['TracedLot']>, sources: Array<ResolversTypes['TracedParty']>, destinations: Array<ResolversTypes['TracedParty']> }>;
  TracedLot: ResolverTypeWrapper<Omit<TracedLot, 'transaction'> & { transaction?: Maybe<ResolversTypes['ProductTransaction']> }>;
  TracedParty: ResolverTypeWrapper<Omit<TracedParty, 'entity'> & { entity?: Maybe<ResolversTypes['Entity']> }>;
  ProductTransactionGroup: ProductTransactionGroup;
  ProductTransactionTotals: ResolverTypeWrapper<Omit<ProductTransactionTotals, 'groups'> & { groups: Array<ResolversTypes['ProductTransactionTotal']> }>;
  ProductTransactionTotal: ResolverTypeWrapper<Omit<ProductTransactionTotal, 'product' | 'source' | 'destination' | 'currency' | 'premiums'> & { product?: Maybe<ResolversTypes['Product']>, source?: Maybe<ResolversTypes['Entity']>, destination?: Maybe<ResolversTypes['Entity']>, currency?: Maybe<ResolversTypes['Currency']>, premiums: Array<ResolversTypes['ProductTransactionPremiumTotal']> }>;
  ProductTransactionPremiumTotal: ResolverTypeWrapper<Omit<ProductTransactionPremiumTotal, 'premium' | 'currency'> & { premium?: Maybe<ResolversTypes['Premium']>, currency?: Maybe<ResolversTypes['Currency']> }>;
  CompanyBalance: ResolverTypeWrapper<Omit<CompanyBalance, 'products'> & { products: Array<ResolversTypes['CompanyProductBalance']> }>;
  CompanyProductBalance: ResolverTypeWrapper<Omit<CompanyProductBalance, 'product'> & { product?: Maybe<ResolversTypes['Product']> }>;
  PaymentTransactionGroup: PaymentTransactionGroup;
  PaymentTransactionTotals: ResolverTypeWrapper<Omit<PaymentTransactionTotals, 'groups'> & { groups: Array<ResolversTypes['PaymentTransactionTotal']> }>;
  PaymentTransactionTotal: ResolverTypeWrapper<Omit<PaymentTransactionTotal, 'source' | 'destination' | 'premium' | 'currency'> & { source?: Maybe<ResolversTypes['Entity']>, destination?: Maybe<ResolversTypes['Entity']>, premium?: Maybe<ResolversTypes['Premium']>, currency?: Maybe<ResolversTypes['Currency']> }>;
  CardHolder: ResolverTypeWrapper<Omit<CardHolder, 'holder'> & { holder?: Maybe<ResolversTypes['Entity']> }>;
  FarmerCandidateInput: FarmerCandidateInput;
  FarmerCandidates: ResolverTypeWrapper<Omit<FarmerCandidates, 'candidates'> & { candidates: Array<ResolversTypes['FarmerCandidate']> }>;
  FarmerCandidate: ResolverTypeWrapper<Omit<FarmerCandidate, 'farmer'> & { farmer?: Maybe<ResolversTypes['Farmer']> }>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Query: Record<PropertyKey, never>;
  ID: Scalars['ID']['output'];
  Mutation: Record<PropertyKey, never>;
  PageInfo: PageInfo;
  DateTime: Scalars['DateTime']['output'];
  Date: Scalars['Date']['output'];
  Decimal: Scalars['Decimal']['output'];
  JSON: Scalars['JSON']['output'];
  Upload: Scalars['Upload']['output'];
  Card: components['schemas']['Card'];
  Product: components['schemas']['Product'];
  Currency: components['schemas']['Currency'];
  Premium: components['schemas']['Premium'];
  Float: Scalars['Float']['output'];
  PremiumOption: components['schemas']['PremiumOption'];
  CreatePremiumInput: CreatePremiumInput;
  PremiumOptionInput: PremiumOptionInput;
  Company: components['schemas']['CompanyDetail'];
  FieldVisibility: components['schemas']['FieldVisibility'];
  CreateCompanyInput: CreateCompanyInput;
  UpdateCompanyInput: UpdateCompanyInput;
  CompanyMember: components['schemas']['CompanyMember'];
  CreateCompanyMemberInput: CreateCompanyMemberInput;
  EntityCard: components['schemas']['EntityCard'];
  CreateEntityCardInput: CreateEntityCardInput;
  CardInput: CardInput;
  Entity: ResolversInterfaceTypes<ResolversParentTypes>['Entity'];
  UnknownEntity: { id: string };
  Farmer: components['schemas']['Farmer'];
  CreateFarmerInput: CreateFarmerInput;
  Form: components['schemas']['Form'];
  FormField: components['schemas']['FormField'];
  FormFieldConfig: components['schemas']['FormFieldConfig'];
  Submission: components['schemas']['Submission'];
  SubmissionValue: components['schemas']['SubmissionValue'];
  CreateFormInput: CreateFormInput;
  FormFieldInput: FormFieldInput;
  FormFieldConfigInput: FormFieldConfigInput;
  SubmissionInput: SubmissionInput;
  SubmissionValueInput: SubmissionValueInput;
  PaymentTransaction: components['schemas']['PaymentTransaction'];
  CreatePaymentTransactionInput: CreatePaymentTransactionInput;
  PaymentTransactionInput: PaymentTransactionInput;
  ProductTransaction: components['schemas']['ProductTransaction'];
  CreateProductTransactionInput: CreateProductTransactionInput;
  User: components['schemas']['User'];
  UserInput: UserInput;
  UpdateUserInput: UpdateUserInput;
  FarmerConnection: Connection<components['schemas']['Farmer']>;
  FarmerEdge: Omit<FarmerEdge, 'node'> & { node: ResolversParentTypes['Farmer'] };
  EntityCardConnection: Connection<components['schemas']['EntityCard']>;
  EntityCardEdge: Omit<EntityCardEdge, 'node'> & { node: ResolversParentTypes['EntityCard'] };
  ProductConnection: Connection<components['schemas']['Product']>;
  ProductEdge: Omit<ProductEdge, 'node'> & { node: ResolversParentTypes['Product'] };
  CardConnection: Connection<components['schemas']['Card']>;
  CardEdge: Omit<CardEdge, 'node'> & { node: ResolversParentTypes['Card'] };
  CurrencyConnection: Connection<components['schemas']['Currency']>;
  CurrencyEdge: Omit<CurrencyEdge, 'node'> & { node: ResolversParentTypes['Currency'] };
  PremiumConnection: Connection<components['schemas']['Premium']>;
  PremiumEdge: Omit<PremiumEdge, 'node'> & { node: ResolversParentTypes['Premium'] };
  FormConnection: Connection<components['schemas']['Form']>;
  FormEdge: Omit<FormEdge, 'node'> & { node: ResolversParentTypes['Form'] };
  ProductTransactionConnection: Connection<components['schemas']['ProductTransaction']>;
  ProductTransactionEdge: Omit<ProductTransactionEdge, 'node'> & { node: ResolversParentTypes['ProductTransaction'] };
  PaymentTransactionConnection: Connection<components['schemas']['PaymentTransaction']>;
  PaymentTransactionEdge: Omit<PaymentTransactionEdge, 'node'> & { node: ResolversParentTypes['PaymentTransaction'] };
  ProductTransactionRows: FoundRows<components['schemas']['ProductTransaction']>;
  PaymentTransactionRows: FoundRows<components['schemas']['PaymentTransaction']>;
  WriteInput: WriteInput;
  WriteResult: Omit<WriteResult, 'object'> & { object?: Maybe<ResolversParentTypes['WrittenObject']> };
  WriteError: WriteError;
  WriteFieldError: WriteFieldError;
  Write: Write;
  UpdateCompanyWrite: UpdateCompanyWrite;
  UpdateUserWrite: UpdateUserWrite;
  WrittenObject: ResolversUnionTypes<ResolversParentTypes>['WrittenObject'];
  Trace: Omit<Trace, 'lots' | 'sources' | 'destinations'> & { lots: Array<ResolversParentTypes['TracedLot']>, sources: Array<ResolversParentTypes['TracedParty']>, destinations: Array<ResolversParentTypes['TracedParty']> };
  TracedLot: Omit<TracedLot, 'transaction'> & { transaction?: Maybe<ResolversParentTypes['ProductTransaction']> };
  TracedParty: Omit<TracedParty, 'entity'> & { entity?: Maybe<ResolversParentTypes['Entity']> };
  ProductTransactionTotals: Omit<ProductTransactionTotals, 'groups'> & { groups: Array<ResolversParentTypes['ProductTransactionTotal']> };
  ProductTransactionTotal: Omit<ProductTransactionTotal, 'product' | 'source' | 'destination' | 'currency' | 'premiums'> & { product?: Maybe<ResolversParentTypes['Product']>, source?: Maybe<ResolversParentTypes['Entity']>, destination?: Maybe<ResolversParentTypes['Entity']>, currency?: Maybe<ResolversParentTypes['Currency']>, premiums: Array<ResolversParentTypes['ProductTransactionPremiumTotal']> };
  ProductTransactionPremiumTotal: Omit<ProductTransactionPremiumTotal, 'premium' | 'currency'> & { premium?: Maybe<ResolversParentTypes['Premium']>, currency?: Maybe<ResolversParentTypes['Currency']> };
  CompanyBalance: Omit<CompanyBalance, 'products'> & { products: Array<ResolversParentTypes['CompanyProductBalance']> };
  CompanyProductBalance: Omit<CompanyProductBalance, 'product'> & { product?: Maybe<ResolversParentTypes['Product']> };
  PaymentTransactionTotals: Omit<PaymentTransactionTotals, 'groups'> & { groups: Array<ResolversParentTypes['PaymentTransactionTotal']> };
  PaymentTransactionTotal: Omit<PaymentTransactionTotal, 'source' | 'destination' | 'premium' | 'currency'> & { source?: Maybe<ResolversParentTypes['Entity']>, destination?: Maybe<ResolversParentTypes['Entity']>, premium?: Maybe<ResolversParentTypes['Premium']>, currency?: Maybe<ResolversParentTypes['Currency']> };
  CardHolder: Omit<CardHolder, 'holder'> & { holder?: Maybe<ResolversParentTypes['Entity']> };
  FarmerCandidateInput: FarmerCandidateInput;
  FarmerCandidates: Omit<FarmerCandidates, 'candidates'> & { candidates: Array<ResolversParentTypes['FarmerCandidate']> };
  FarmerCandidate: Omit<FarmerCandidate, 'farmer'> & { farmer?: Maybe<ResolversParentTypes['Farmer']> };
  Int: Scalars['Int']['output'];
  Boolean: Scalars['Boolean']['output'];
  String: Scalars['String']['output'];
};

export type LengthDirectiveArgs = {
  min?: Maybe<Scalars['Int']['input']>;
  max?: Maybe<Scalars['Int']['input']>;
};

export type LengthDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = LengthDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type SemanticNonNullDirectiveArgs = {
  levels?: Array<Scalars['Int']['input']>;
};

export type SemanticNonNullDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = SemanticNonNullDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type DeferDirectiveArgs = {
  if?: Scalars['Boolean']['input'];
  label?: Maybe<Scalars['String']['input']>;
};

export type DeferDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = DeferDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  farmers?: Resolver<Maybe<ResolversTypes['FarmerConnection']>, ParentType, ContextType, Partial<QueryFarmersArgs>>;
  farmer?: Resolver<Maybe<ResolversTypes['Farmer']>, ParentType, ContextType, RequireFields<QueryFarmerArgs, 'id'>>;
  company?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType, RequireFields<QueryCompanyArgs, 'id'>>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<QueryUserArgs, 'id'>>;
  entityCards?: Resolver<Maybe<ResolversTypes['EntityCardConnection']>, ParentType, ContextType, Partial<QueryEntityCardsArgs>>;
  products?: Resolver<Maybe<ResolversTypes['ProductConnection']>, ParentType, ContextType, Partial<QueryProductsArgs>>;
  cards?: Resolver<Maybe<ResolversTypes['CardConnection']>, ParentType, ContextType, Partial<QueryCardsArgs>>;
  currencies?: Resolver<Maybe<ResolversTypes['CurrencyConnection']>, ParentType, ContextType, Partial<QueryCurrenciesArgs>>;
  premiums?: Resolver<Maybe<ResolversTypes['PremiumConnection']>, ParentType, ContextType, Partial<QueryPremiumsArgs>>;
  premium?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType, RequireFields<QueryPremiumArgs, 'id'>>;
  forms?: Resolver<Maybe<ResolversTypes['FormConnection']>, ParentType, ContextType, Partial<QueryFormsArgs>>;
  form?: Resolver<Maybe<ResolversTypes['Form']>, ParentType, ContextType, RequireFields<QueryFormArgs, 'id'>>;
  productTransactions?: Resolver<Maybe<ResolversTypes['ProductTransactionConnection']>, ParentType, ContextType, Partial<QueryProductTransactionsArgs>>;
  productTransaction?: Resolver<Maybe<ResolversTypes['ProductTransaction']>, ParentType, ContextType, RequireFields<QueryProductTransactionArgs, 'id'>>;
  paymentTransactions?: Resolver<Maybe<ResolversTypes['PaymentTransactionConnection']>, ParentType, ContextType, Partial<QueryPaymentTransactionsArgs>>;
  paymentTransaction?: Resolver<Maybe<ResolversTypes['PaymentTransaction']>, ParentType, ContextType, RequireFields<QueryPaymentTransactionArgs, 'id'>>;
  entity?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType, RequireFields<QueryEntityArgs, 'id'>>;
  me?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  activeCompany?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  serverTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  productTransactionTotals?: Resolver<Maybe<ResolversTypes['ProductTransactionTotals']>, ParentType, ContextType, Partial<QueryProductTransactionTotalsArgs>>;
  paymentTransactionTotals?: Resolver<Maybe<ResolversTypes['PaymentTransactionTotals']>, ParentType, ContextType, Partial<QueryPaymentTransactionTotalsArgs>>;
  cardHolder?: Resolver<Maybe<ResolversTypes['CardHolder']>, ParentType, ContextType, RequireFields<QueryCardHolderArgs, 'card_id'>>;
  farmerCandidates?: Resolver<Maybe<ResolversTypes['FarmerCandidates']>, ParentType, ContextType, RequireFields<QueryFarmerCandidatesArgs, 'input'>>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createFarmer?: Resolver<Maybe<ResolversTypes['Farmer']>, ParentType, ContextType, RequireFields<MutationCreateFarmerArgs, 'input'>>;
  createCompany?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType, RequireFields<MutationCreateCompanyArgs, 'input'>>;
  updateCompany?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType, RequireFields<MutationUpdateCompanyArgs, 'id' | 'input'>>;
  createCompanyMember?: Resolver<Maybe<ResolversTypes['CompanyMember']>, ParentType, ContextType, RequireFields<MutationCreateCompanyMemberArgs, 'input'>>;
  updateUser?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<MutationUpdateUserArgs, 'id' | 'input'>>;
  createEntityCard?: Resolver<Maybe<ResolversTypes['EntityCard']>, ParentType, ContextType, RequireFields<MutationCreateEntityCardArgs, 'input'>>;
  createPremium?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType, RequireFields<MutationCreatePremiumArgs, 'input'>>;
  createForm?: Resolver<Maybe<ResolversTypes['Form']>, ParentType, ContextType, RequireFields<MutationCreateFormArgs, 'input'>>;
  createProductTransaction?: Resolver<Maybe<ResolversTypes['ProductTransaction']>, ParentType, ContextType, RequireFields<MutationCreateProductTransactionArgs, 'input'>>;
  createPaymentTransaction?: Resolver<Maybe<ResolversTypes['PaymentTransaction']>, ParentType, ContextType, RequireFields<MutationCreatePaymentTransactionArgs, 'input'>>;
  uploadInvoice?: Resolver<Maybe<ResolversTypes['PaymentTransaction']>, ParentType, ContextType, RequireFields<MutationUploadInvoiceArgs, 'payment_transaction' | 'invoice'>>;
  push?: Resolver<Array<ResolversTypes['WriteResult']>, ParentType, ContextType, RequireFields<MutationPushArgs, 'writes'>>;
};

export type PageInfoResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface DateScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Date'], any> {
  name: 'Date';
}

export interface DecimalScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Decimal'], any> {
  name: 'Decimal';
}

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export interface UploadScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Upload'], any> {
  name: 'Upload';
}

export type CardResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Card'] = ResolversParentTypes['Card']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  card_id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  display_id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  holder?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
};

export type ProductResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Product'] = ResolversParentTypes['Product']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  premiums?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  premium_ids?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  premium_details?: Resolver<Maybe<Array<Maybe<ResolversTypes['Premium']>>>, ParentType, ContextType>;
  is_active?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  active?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  productTransactions?: Resolver<Maybe<ResolversTypes['ProductTransactionRows']>, ParentType, ContextType, Partial<ProductProductTransactionsArgs>>;
};

export type CurrencyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Currency'] = ResolversParentTypes['Currency']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PremiumResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Premium'] = ResolversParentTypes['Premium']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  category?: Resolver<Maybe<ResolversTypes['PremiumCategory']>, ParentType, ContextType>;
  category_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['PremiumType']>, ParentType, ContextType>;
  type_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  applicable_activity?: Resolver<Maybe<ResolversTypes['PremiumActivity']>, ParentType, ContextType>;
  applicable_activity_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  calculation_type?: Resolver<Maybe<ResolversTypes['PremiumCalculationType']>, ParentType, ContextType>;
  calculation_type_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  amount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  included?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  dependant_on_card?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  is_active?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  options?: Resolver<Maybe<Array<ResolversTypes['PremiumOption']>>, ParentType, ContextType>;
  owner?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  owner_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PremiumOptionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PremiumOption'] = ResolversParentTypes['PremiumOption']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  amount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  is_active?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type CompanyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Company'] = ResolversParentTypes['Company']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  house_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  street?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  city?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sub_province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  country?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  zipcode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  latitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  longitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  buy_enabled?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  sell_enabled?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  quality_correction?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  allow_multiple_login?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  buyer?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  buyer_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  entity_card?: Resolver<Maybe<ResolversTypes['EntityCard']>, ParentType, ContextType>;
  entity_card_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  members?: Resolver<Maybe<Array<Maybe<ResolversTypes['User']>>>, ParentType, ContextType>;
  member_ids?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  products?: Resolver<Maybe<Array<Maybe<ResolversTypes['Product']>>>, ParentType, ContextType>;
  product_ids?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  forms?: Resolver<Maybe<Array<ResolversTypes['Form']>>, ParentType, ContextType>;
  field_visibilties?: Resolver<Maybe<Array<ResolversTypes['FieldVisibility']>>, ParentType, ContextType>;
  owned_premiums?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  owned_premium_details?: Resolver<Maybe<Array<Maybe<ResolversTypes['Premium']>>>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  productTransactions?: Resolver<Maybe<ResolversTypes['ProductTransactionRows']>, ParentType, ContextType, Partial<CompanyProductTransactionsArgs>>;
  paymentTransactions?: Resolver<Maybe<ResolversTypes['PaymentTransactionRows']>, ParentType, ContextType, Partial<CompanyPaymentTransactionsArgs>>;
  balance?: Resolver<Maybe<ResolversTypes['CompanyBalance']>, ParentType, ContextType, Partial<CompanyBalanceArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type FieldVisibilityResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FieldVisibility'] = ResolversParentTypes['FieldVisibility']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  visibility?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  company?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  company_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type CompanyMemberResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CompanyMember'] = ResolversParentTypes['CompanyMember']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  company?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  company_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  is_active?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type EntityCardResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EntityCard'] = ResolversParentTypes['EntityCard']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  card?: Resolver<Maybe<ResolversTypes['Card']>, ParentType, ContextType>;
  entity?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  entity_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  is_active?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type EntityResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Entity'] = ResolversParentTypes['Entity']> = {
  __resolveType: TypeResolveFn<'Company' | 'UnknownEntity' | 'Farmer', ParentType, ContextType>;
};

export type UnknownEntityResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UnknownEntity'] = ResolversParentTypes['UnknownEntity']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  house_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  street?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  city?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sub_province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  country?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  zipcode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  latitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  longitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  entity_card?: Resolver<Maybe<ResolversTypes['EntityCard']>, ParentType, ContextType>;
  buyer?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  buyer_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type FarmerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Farmer'] = ResolversParentTypes['Farmer']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  first_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  last_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  identification_no?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reference_number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  date_of_birth?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  gender?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  consent_status?: Resolver<Maybe<ResolversTypes['ConsentStatus']>, ParentType, ContextType>;
  consent_status_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  house_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  street?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  city?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sub_province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  country?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  zipcode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  latitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  longitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  entity_card?: Resolver<Maybe<ResolversTypes['EntityCard']>, ParentType, ContextType>;
  submission?: Resolver<Maybe<ResolversTypes['Submission']>, ParentType, ContextType>;
  plots?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  buyer?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  buyer_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  productTransactions?: Resolver<Maybe<ResolversTypes['ProductTransactionRows']>, ParentType, ContextType, Partial<FarmerProductTransactionsArgs>>;
  paymentTransactions?: Resolver<Maybe<ResolversTypes['PaymentTransactionRows']>, ParentType, ContextType, Partial<FarmerPaymentTransactionsArgs>>;
  totals?: Resolver<Maybe<ResolversTypes['ProductTransactionTotals']>, ParentType, ContextType, Partial<FarmerTotalsArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type FormResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Form'] = ResolversParentTypes['Form']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  form_type?: Resolver<Maybe<ResolversTypes['FormType']>, ParentType, ContextType>;
  form_type_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fields?: Resolver<Maybe<Array<ResolversTypes['FormField']>>, ParentType, ContextType>;
  field_config?: Resolver<Maybe<Array<ResolversTypes['FormFieldConfig']>>, ParentType, ContextType>;
  products?: Resolver<Maybe<Array<ResolversTypes['Product']>>, ParentType, ContextType>;
  owner?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  owner_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type FormFieldResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FormField'] = ResolversParentTypes['FormField']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label_en_us?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label_en_uk?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label_fr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label_nl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label_ind?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  localized_label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, Partial<FormFieldLocalized_LabelArgs>>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  key?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  required?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  default_value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  options?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type FormFieldConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FormFieldConfig'] = ResolversParentTypes['FormFieldConfig']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  key?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  visibility?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  required?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type SubmissionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Submission'] = ResolversParentTypes['Submission']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  form?: Resolver<Maybe<ResolversTypes['Form']>, ParentType, ContextType>;
  form_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  form_details?: Resolver<Maybe<ResolversTypes['Form']>, ParentType, ContextType>;
  values?: Resolver<Maybe<Array<ResolversTypes['SubmissionValue']>>, ParentType, ContextType>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType>;
  product_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type SubmissionValueResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SubmissionValue'] = ResolversParentTypes['SubmissionValue']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['FormField']>, ParentType, ContextType>;
  field_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  field_details?: Resolver<Maybe<ResolversTypes['FormField']>, ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type PaymentTransactionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransaction'] = ResolversParentTypes['PaymentTransaction']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  payment_type?: Resolver<Maybe<ResolversTypes['PaymentType']>, ParentType, ContextType>;
  payment_type_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  source_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  destination?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  destination_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  amount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  currency_details?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  premium?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType>;
  premium_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  premium_details?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType>;
  selected_option?: Resolver<Maybe<ResolversTypes['PremiumOption']>, ParentType, ContextType>;
  selected_option_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  transaction?: Resolver<Maybe<ResolversTypes['ProductTransaction']>, ParentType, ContextType>;
  transaction_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  date?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  invoice_number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  invoice?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  method?: Resolver<Maybe<ResolversTypes['VerificationMethod']>, ParentType, ContextType>;
  method_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  verification_latitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  verification_longitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  card?: Resolver<Maybe<ResolversTypes['Card']>, ParentType, ContextType>;
  card_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  submissions?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  submission_details?: Resolver<Maybe<Array<Maybe<ResolversTypes['Submission']>>>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ProductTransactionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransaction'] = ResolversParentTypes['ProductTransaction']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  source_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  destination?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  destination_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType>;
  product_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  quantity?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  source_quantity?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  current_quantity?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  is_deleted?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  quality_correction?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  amount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  currency_details?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  date?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  invoice_number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  invoice?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  method?: Resolver<Maybe<ResolversTypes['VerificationMethod']>, ParentType, ContextType>;
  method_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  verification_latitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  verification_longitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  card?: Resolver<Maybe<ResolversTypes['Card']>, ParentType, ContextType>;
  card_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  card_details?: Resolver<Maybe<ResolversTypes['Card']>, ParentType, ContextType>;
  parents?: Resolver<Maybe<Array<Maybe<ResolversTypes['ProductTransaction']>>>, ParentType, ContextType>;
  parent_ids?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  transaction_payments?: Resolver<Maybe<Array<ResolversTypes['PaymentTransaction']>>, ParentType, ContextType>;
  submissions?: Resolver<Maybe<Array<ResolversTypes['Submission']>>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  children?: Resolver<Maybe<ResolversTypes['ProductTransactionRows']>, ParentType, ContextType, Partial<ProductTransactionChildrenArgs>>;
  origin?: Resolver<Maybe<ResolversTypes['Trace']>, ParentType, ContextType, RequireFields<ProductTransactionOriginArgs, 'depth'>>;
  use?: Resolver<Maybe<ResolversTypes['Trace']>, ParentType, ContextType, RequireFields<ProductTransactionUseArgs, 'depth'>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type UserResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  first_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  last_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updated_email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  dob?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  address?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  managing_entitys?: Resolver<Maybe<Array<Maybe<ResolversTypes['Entity']>>>, ParentType, ContextType>;
  managing_entity_ids?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  default_entity?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  default_entity_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  accepted_policy?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  current_policy?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  policy_accepted?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  current_policy_accepted?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  language?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type FarmerConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FarmerConnection'] = ResolversParentTypes['FarmerConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Farmer']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['FarmerEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type FarmerEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FarmerEdge'] = ResolversParentTypes['FarmerEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Farmer'], ParentType, ContextType>;
};

export type EntityCardConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EntityCardConnection'] = ResolversParentTypes['EntityCardConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['EntityCard']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['EntityCardEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type EntityCardEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EntityCardEdge'] = ResolversParentTypes['EntityCardEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['EntityCard'], ParentType, ContextType>;
};

export type ProductConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductConnection'] = ResolversParentTypes['ProductConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Product']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['ProductEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ProductEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductEdge'] = ResolversParentTypes['ProductEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Product'], ParentType, ContextType>;
};

export type CardConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CardConnection'] = ResolversParentTypes['CardConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Card']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['CardEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type CardEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CardEdge'] = ResolversParentTypes['CardEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Card'], ParentType, ContextType>;
};

export type CurrencyConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CurrencyConnection'] = ResolversParentTypes['CurrencyConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Currency']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['CurrencyEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type CurrencyEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CurrencyEdge'] = ResolversParentTypes['CurrencyEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
};

export type PremiumConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PremiumConnection'] = ResolversParentTypes['PremiumConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Premium']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['PremiumEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PremiumEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PremiumEdge'] = ResolversParentTypes['PremiumEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Premium'], ParentType, ContextType>;
};

export type FormConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FormConnection'] = ResolversParentTypes['FormConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Form']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['FormEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type FormEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FormEdge'] = ResolversParentTypes['FormEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Form'], ParentType, ContextType>;
};

export type ProductTransactionConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionConnection'] = ResolversParentTypes['ProductTransactionConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['ProductTransaction']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['ProductTransactionEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ProductTransactionEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionEdge'] = ResolversParentTypes['ProductTransactionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ProductTransaction'], ParentType, ContextType>;
};

export type PaymentTransactionConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransactionConnection'] = ResolversParentTypes['PaymentTransactionConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['PaymentTransaction']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['PaymentTransactionEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PaymentTransactionEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransactionEdge'] = ResolversParentTypes['PaymentTransactionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['PaymentTransaction'], ParentType, ContextType>;
};

export type ProductTransactionRowsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionRows'] = ResolversParentTypes['ProductTransactionRows']> = {
  results?: Resolver<Array<ResolversTypes['ProductTransaction']>, ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PaymentTransactionRowsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransactionRows'] = ResolversParentTypes['PaymentTransactionRows']> = {
  results?: Resolver<Array<ResolversTypes['PaymentTransaction']>, ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WriteResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WriteResult'] = ResolversParentTypes['WriteResult']> = {
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ref?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WriteStatus'], ParentType, ContextType>;
  object?: Resolver<Maybe<ResolversTypes['WrittenObject']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['WriteError']>, ParentType, ContextType>;
};

export type WriteErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WriteError'] = ResolversParentTypes['WriteError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  fields?: Resolver<Maybe<Array<ResolversTypes['WriteFieldError']>>, ParentType, ContextType>;
  upstream_status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  retry_after?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type WriteFieldErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WriteFieldError'] = ResolversParentTypes['WriteFieldError']> = {
  path?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type WrittenObjectResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WrittenObject'] = ResolversParentTypes['WrittenObject']> = {
  __resolveType: TypeResolveFn<'Farmer' | 'Company' | 'CompanyMember' | 'User' | 'EntityCard' | 'Premium' | 'Form' | 'ProductTransaction' | 'PaymentTransaction', ParentType, ContextType>;
};

export type TraceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Trace'] = ResolversParentTypes['Trace']> = {
  lots?: Resolver<Array<ResolversTypes['TracedLot']>, ParentType, ContextType>;
  sources?: Resolver<Array<ResolversTypes['TracedParty']>, ParentType, ContextType>;
  destinations?: Resolver<Array<ResolversTypes['TracedParty']>, ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  looked_back_to?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type TracedLotResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TracedLot'] = ResolversParentTypes['TracedLot']> = {
  transaction?: Resolver<Maybe<ResolversTypes['ProductTransaction']>, ParentType, ContextType>;
  transaction_id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  depth?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  parents?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  children?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type TracedPartyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TracedParty'] = ResolversParentTypes['TracedParty']> = {
  entity?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  entity_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  lots?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  quantity?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type ProductTransactionTotalsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionTotals'] = ResolversParentTypes['ProductTransactionTotals']> = {
  groups?: Resolver<Array<ResolversTypes['ProductTransactionTotal']>, ParentType, ContextType>;
  rows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProductTransactionTotalResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionTotal'] = ResolversParentTypes['ProductTransactionTotal']> = {
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType>;
  product_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  source_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  destination?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  destination_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  month?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  quantity?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  amount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  premiums?: Resolver<Array<ResolversTypes['ProductTransactionPremiumTotal']>, ParentType, ContextType>;
};

export type ProductTransactionPremiumTotalResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionPremiumTotal'] = ResolversParentTypes['ProductTransactionPremiumTotal']> = {
  premium?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType>;
  premium_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  amount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type CompanyBalanceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CompanyBalance'] = ResolversParentTypes['CompanyBalance']> = {
  products?: Resolver<Array<ResolversTypes['CompanyProductBalance']>, ParentType, ContextType>;
  rows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CompanyProductBalanceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CompanyProductBalance'] = ResolversParentTypes['CompanyProductBalance']> = {
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType>;
  product_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  in?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  out?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  stock?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  left?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type PaymentTransactionTotalsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransactionTotals'] = ResolversParentTypes['PaymentTransactionTotals']> = {
  groups?: Resolver<Array<ResolversTypes['PaymentTransactionTotal']>, ParentType, ContextType>;
  rows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PaymentTransactionTotalResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransactionTotal'] = ResolversParentTypes['PaymentTransactionTotal']> = {
  source?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  source_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  destination?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  destination_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  premium?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType>;
  premium_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  payment_type?: Resolver<Maybe<ResolversTypes['PaymentType']>, ParentType, ContextType>;
  payment_type_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  month?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  amount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type CardHolderResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CardHolder'] = ResolversParentTypes['CardHolder']> = {
  holder?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  holder_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type FarmerCandidatesResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FarmerCandidates'] = ResolversParentTypes['FarmerCandidates']> = {
  candidates?: Resolver<Array<ResolversTypes['FarmerCandidate']>, ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type FarmerCandidateResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FarmerCandidate'] = ResolversParentTypes['FarmerCandidate']> = {
  farmer?: Resolver<Maybe<ResolversTypes['Farmer']>, ParentType, ContextType>;
  agree?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestContext> = {
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Date?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  Upload?: GraphQLScalarType;
  Card?: CardResolvers<ContextType>;
  Product?: ProductResolvers<ContextType>;
  Currency?: CurrencyResolvers<ContextType>;
  Premium?: PremiumResolvers<ContextType>;
  PremiumOption?: PremiumOptionResolvers<ContextType>;
  Company?: CompanyResolvers<ContextType>;
  FieldVisibility?: FieldVisibilityResolvers<ContextType>;
  CompanyMember?: CompanyMemberResolvers<ContextType>;
  EntityCard?: EntityCardResolvers<ContextType>;
  Entity?: EntityResolvers<ContextType>;
  UnknownEntity?: UnknownEntityResolvers<ContextType>;
  Farmer?: FarmerResolvers<ContextType>;
  Form?: FormResolvers<ContextType>;
  FormField?: FormFieldResolvers<ContextType>;
  FormFieldConfig?: FormFieldConfigResolvers<ContextType>;
  Submission?: SubmissionResolvers<ContextType>;
  SubmissionValue?: SubmissionValueResolvers<ContextType>;
  PaymentTransaction?: PaymentTransactionResolvers<ContextType>;
  ProductTransaction?: ProductTransactionResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  FarmerConnection?: FarmerConnectionResolvers<ContextType>;
  FarmerEdge?: FarmerEdgeResolvers<ContextType>;
  EntityCardConnection?: EntityCardConnectionResolvers<ContextType>;
  EntityCardEdge?: EntityCardEdgeResolvers<ContextType>;
  ProductConnection?: ProductConnectionResolvers<ContextType>;
  ProductEdge?: ProductEdgeResolvers<ContextType>;
  CardConnection?: CardConnectionResolvers<ContextType>;
  CardEdge?: CardEdgeResolvers<ContextType>;
  CurrencyConnection?: CurrencyConnectionResolvers<ContextType>;
  CurrencyEdge?: CurrencyEdgeResolvers<ContextType>;
  PremiumConnection?: PremiumConnectionResolvers<ContextType>;
  PremiumEdge?: PremiumEdgeResolvers<ContextType>;
  FormConnection?: FormConnectionResolvers<ContextType>;
  FormEdge?: FormEdgeResolvers<ContextType>;
  ProductTransactionConnection?: ProductTransactionConnectionResolvers<ContextType>;
  ProductTransactionEdge?: ProductTransactionEdgeResolvers<ContextType>;
  PaymentTransactionConnection?: PaymentTransactionConnectionResolvers<ContextType>;
  PaymentTransactionEdge?: PaymentTransactionEdgeResolvers<ContextType>;
  ProductTransactionRows?: ProductTransactionRowsResolvers<ContextType>;
  PaymentTransactionRows?: PaymentTransactionRowsResolvers<ContextType>;
  WriteResult?: WriteResultResolvers<ContextType>;
  WriteError?: WriteErrorResolvers<ContextType>;
  WriteFieldError?: WriteFieldErrorResolvers<ContextType>;
  WrittenObject?: WrittenObjectResolvers<ContextType>;
  Trace?: TraceResolvers<ContextType>;
  TracedLot?: TracedLotResolvers<ContextType>;
  TracedParty?: TracedPartyResolvers<ContextType>;
  ProductTransactionTotals?: ProductTransactionTotalsResolvers<ContextType>;
  ProductTransactionTotal?: ProductTransactionTotalResolvers<ContextType>;
  ProductTransactionPremiumTotal?: ProductTransactionPremiumTotalResolvers<ContextType>;
  CompanyBalance?: CompanyBalanceResolvers<ContextType>;
  CompanyProductBalance?: CompanyProductBalanceResolvers<ContextType>;
  PaymentTransactionTotals?: PaymentTransactionTotalsResolvers<ContextType>;
  PaymentTransactionTotal?: PaymentTransactionTotalResolvers<ContextType>;
  CardHolder?: CardHolderResolvers<ContextType>;
  FarmerCandidates?: FarmerCandidatesResolvers<ContextType>;
  FarmerCandidate?: FarmerCandidateResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = RequestContext> = {
  length?: LengthDirectiveResolver<any, any, ContextType>;
  semanticNonNull?: SemanticNonNullDirectiveResolver<any, any, ContextType>;
  defer?: DeferDirectiveResolver<any, any, ContextType>;
};

