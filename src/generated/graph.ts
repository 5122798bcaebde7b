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
  Date: { input: string; output: string; }
  DateTime: { input: Time; output: string; }
  Decimal: { input: string; output: string; }
  JSON: { input: unknown; output: unknown; }
  Upload: { input: Promise<UploadedFile>; output: never; }
};

export type Card = {
  __typename?: 'Card';
  card_id?: Maybe<Scalars['String']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  display_id?: Maybe<Scalars['String']['output']>;
  holder?: Maybe<Entity>;
  id: Scalars['ID']['output'];
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
};

export type CardConnection = {
  __typename?: 'CardConnection';
  count: Scalars['Int']['output'];
  edges: Array<CardEdge>;
  next?: Maybe<Scalars['String']['output']>;
  pageInfo: PageInfo;
  previous?: Maybe<Scalars['String']['output']>;
  results: Array<Card>;
};

export type CardEdge = {
  __typename?: 'CardEdge';
  cursor: Scalars['String']['output'];
  node: Card;
};

export type CardHolder = {
  __typename?: 'CardHolder';
  complete: Scalars['Boolean']['output'];
  holder?: Maybe<Entity>;
  holder_id?: Maybe<Scalars['ID']['output']>;
  reason?: Maybe<Scalars['String']['output']>;
};

export type CardInput = {
  card_id: Scalars['String']['input'];
  creator?: InputMaybe<Scalars['ID']['input']>;
  display_id?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type Company = Entity & {
  __typename?: 'Company';
  allow_multiple_login?: Maybe<Scalars['Boolean']['output']>;
  balance?: Maybe<CompanyBalance>;
  buy_enabled?: Maybe<Scalars['Boolean']['output']>;
  buyer?: Maybe<Company>;
  buyer_id?: Maybe<Scalars['ID']['output']>;
  city?: Maybe<Scalars['String']['output']>;
  country?: Maybe<Scalars['String']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  currency?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  email?: Maybe<Scalars['String']['output']>;
  entity_card?: Maybe<EntityCard>;
  entity_card_id?: Maybe<Scalars['ID']['output']>;
  field_visibilties?: Maybe<Array<FieldVisibility>>;
  forms?: Maybe<Array<Form>>;
  house_name?: Maybe<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  image?: Maybe<Scalars['String']['output']>;
  latitude?: Maybe<Scalars['Float']['output']>;
  longitude?: Maybe<Scalars['Float']['output']>;
  member_ids?: Maybe<Array<Scalars['ID']['output']>>;
  members?: Maybe<Array<Maybe<User>>>;
  name?: Maybe<Scalars['String']['output']>;
  owned_premium_details?: Maybe<Array<Maybe<Premium>>>;
  owned_premiums?: Maybe<Array<Scalars['ID']['output']>>;
  paymentTransactions?: Maybe<PaymentTransactionRows>;
  phone?: Maybe<Scalars['String']['output']>;
  productTransactions?: Maybe<ProductTransactionRows>;
  product_ids?: Maybe<Array<Scalars['ID']['output']>>;
  products?: Maybe<Array<Maybe<Product>>>;
  province?: Maybe<Scalars['String']['output']>;
  quality_correction?: Maybe<Scalars['Boolean']['output']>;
  sell_enabled?: Maybe<Scalars['Boolean']['output']>;
  street?: Maybe<Scalars['String']['output']>;
  sub_province?: Maybe<Scalars['String']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  zipcode?: Maybe<Scalars['String']['output']>;
};


export type CompanyBalanceArgs = {
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
};


export type CompanyPaymentTransactionsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
};


export type CompanyProductTransactionsArgs = {
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
};

export type CompanyBalance = {
  __typename?: 'CompanyBalance';
  complete: Scalars['Boolean']['output'];
  products: Array<CompanyProductBalance>;
  reason?: Maybe<Scalars['String']['output']>;
  rows: Scalars['Int']['output'];
};

export type CompanyMember = {
  __typename?: 'CompanyMember';
  company?: Maybe<Company>;
  company_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  id: Scalars['ID']['output'];
  is_active?: Maybe<Scalars['Boolean']['output']>;
  type?: Maybe<Scalars['String']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  user?: Maybe<User>;
};

export type CompanyProductBalance = {
  __typename?: 'CompanyProductBalance';
  in?: Maybe<Scalars['Decimal']['output']>;
  left?: Maybe<Scalars['Decimal']['output']>;
  out?: Maybe<Scalars['Decimal']['output']>;
  product?: Maybe<Product>;
  product_id?: Maybe<Scalars['ID']['output']>;
  stock?: Maybe<Scalars['Decimal']['output']>;
};

export type ConsentStatus =
  | 'GRANTED'
  | 'NOT_GRANTED'
  | 'UNKNOWN'
  | 'UNKNOWN_VALUE';

export type CreateCompanyInput = {
  allow_multiple_login?: InputMaybe<Scalars['Boolean']['input']>;
  buy_enabled?: InputMaybe<Scalars['Boolean']['input']>;
  buyer?: InputMaybe<Scalars['ID']['input']>;
  city?: InputMaybe<Scalars['String']['input']>;
  country?: InputMaybe<Scalars['String']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  currency?: InputMaybe<Scalars['ID']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
  entity_card?: InputMaybe<Scalars['ID']['input']>;
  house_name?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  latitude?: InputMaybe<Scalars['Float']['input']>;
  longitude?: InputMaybe<Scalars['Float']['input']>;
  name: Scalars['String']['input'];
  phone?: InputMaybe<Scalars['String']['input']>;
  province?: InputMaybe<Scalars['String']['input']>;
  quality_correction?: InputMaybe<Scalars['Boolean']['input']>;
  sell_enabled?: InputMaybe<Scalars['Boolean']['input']>;
  street?: InputMaybe<Scalars['String']['input']>;
  sub_province?: InputMaybe<Scalars['String']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
  zipcode?: InputMaybe<Scalars['String']['input']>;
};

export type CreateCompanyMemberInput = {
  company?: InputMaybe<Scalars['ID']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  is_active?: InputMaybe<Scalars['Boolean']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
  user?: InputMaybe<UserInput>;
  user_id?: InputMaybe<Scalars['ID']['input']>;
};

export type CreateEntityCardInput = {
  card: CardInput;
  creator?: InputMaybe<Scalars['ID']['input']>;
  entity: Scalars['ID']['input'];
  id?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type CreateFarmerInput = {
  buyer?: InputMaybe<Scalars['ID']['input']>;
  city?: InputMaybe<Scalars['String']['input']>;
  country?: InputMaybe<Scalars['String']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  date_of_birth?: InputMaybe<Scalars['Date']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
  first_name: Scalars['String']['input'];
  gender?: InputMaybe<Scalars['String']['input']>;
  house_name?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  identification_no?: InputMaybe<Scalars['String']['input']>;
  last_name?: InputMaybe<Scalars['String']['input']>;
  latitude?: InputMaybe<Scalars['Float']['input']>;
  longitude?: InputMaybe<Scalars['Float']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  phone?: InputMaybe<Scalars['String']['input']>;
  province?: InputMaybe<Scalars['String']['input']>;
  reference_number?: InputMaybe<Scalars['String']['input']>;
  street?: InputMaybe<Scalars['String']['input']>;
  sub_province?: InputMaybe<Scalars['String']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
  zipcode?: InputMaybe<Scalars['String']['input']>;
};

export type CreateFormInput = {
  creator?: InputMaybe<Scalars['ID']['input']>;
  field_config?: InputMaybe<Array<FormFieldConfigInput>>;
  fields: Array<FormFieldInput>;
  id?: InputMaybe<Scalars['ID']['input']>;
  owner: Scalars['ID']['input'];
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type CreatePaymentTransactionInput = {
  amount?: InputMaybe<Scalars['Float']['input']>;
  card?: InputMaybe<Scalars['ID']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  currency?: InputMaybe<Scalars['ID']['input']>;
  date?: InputMaybe<Scalars['DateTime']['input']>;
  destination?: InputMaybe<Scalars['ID']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  invoice_number?: InputMaybe<Scalars['String']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  premium?: InputMaybe<Scalars['ID']['input']>;
  selected_option?: InputMaybe<Scalars['ID']['input']>;
  source?: InputMaybe<Scalars['ID']['input']>;
  submission_details?: InputMaybe<Array<SubmissionInput>>;
  submissions?: InputMaybe<Array<Scalars['ID']['input']>>;
  transaction?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
  verification_latitude?: InputMaybe<Scalars['Float']['input']>;
  verification_longitude?: InputMaybe<Scalars['Float']['input']>;
};

export type CreatePremiumInput = {
  amount?: InputMaybe<Scalars['Float']['input']>;
  applicable_activity?: InputMaybe<PremiumActivity>;
  calculation_type?: InputMaybe<PremiumCalculationType>;
  category?: InputMaybe<PremiumCategory>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  dependant_on_card?: InputMaybe<Scalars['Boolean']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  included?: InputMaybe<Scalars['Boolean']['input']>;
  is_active?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  options?: InputMaybe<Array<PremiumOptionInput>>;
  owner?: InputMaybe<Scalars['ID']['input']>;
  type?: InputMaybe<PremiumType>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type CreateProductTransactionInput = {
  amount?: InputMaybe<Scalars['Decimal']['input']>;
  card?: InputMaybe<Scalars['ID']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  currency?: InputMaybe<Scalars['ID']['input']>;
  date?: InputMaybe<Scalars['DateTime']['input']>;
  destination?: InputMaybe<Scalars['ID']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  invoice_number?: InputMaybe<Scalars['String']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  parents?: InputMaybe<Array<Scalars['ID']['input']>>;
  product?: InputMaybe<Scalars['ID']['input']>;
  quality_correction?: InputMaybe<Scalars['Float']['input']>;
  quantity?: InputMaybe<Scalars['Decimal']['input']>;
  source?: InputMaybe<Scalars['ID']['input']>;
  submissions?: InputMaybe<Array<SubmissionInput>>;
  transaction_payments?: InputMaybe<Array<PaymentTransactionInput>>;
  updater?: InputMaybe<Scalars['ID']['input']>;
  verification_latitude?: InputMaybe<Scalars['Float']['input']>;
  verification_longitude?: InputMaybe<Scalars['Float']['input']>;
};

export type Currency = {
  __typename?: 'Currency';
  code?: Maybe<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  name?: Maybe<Scalars['String']['output']>;
};

export type CurrencyConnection = {
  __typename?: 'CurrencyConnection';
  count: Scalars['Int']['output'];
  edges: Array<CurrencyEdge>;
  next?: Maybe<Scalars['String']['output']>;
  pageInfo: PageInfo;
  previous?: Maybe<Scalars['String']['output']>;
  results: Array<Currency>;
};

export type CurrencyEdge = {
  __typename?: 'CurrencyEdge';
  cursor: Scalars['String']['output'];
  node: Currency;
};

export type Entity = {
  buyer?: Maybe<Company>;
  buyer_id?: Maybe<Scalars['ID']['output']>;
  city?: Maybe<Scalars['String']['output']>;
  country?: Maybe<Scalars['String']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  email?: Maybe<Scalars['String']['output']>;
  entity_card?: Maybe<EntityCard>;
  house_name?: Maybe<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  image?: Maybe<Scalars['String']['output']>;
  latitude?: Maybe<Scalars['Float']['output']>;
  longitude?: Maybe<Scalars['Float']['output']>;
  name?: Maybe<Scalars['String']['output']>;
  phone?: Maybe<Scalars['String']['output']>;
  province?: Maybe<Scalars['String']['output']>;
  street?: Maybe<Scalars['String']['output']>;
  sub_province?: Maybe<Scalars['String']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  zipcode?: Maybe<Scalars['String']['output']>;
};

export type EntityCard = {
  __typename?: 'EntityCard';
  card?: Maybe<Card>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  entity?: Maybe<Entity>;
  entity_id?: Maybe<Scalars['ID']['output']>;
  id: Scalars['ID']['output'];
  is_active?: Maybe<Scalars['Boolean']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
};

export type EntityCardConnection = {
  __typename?: 'EntityCardConnection';
  count: Scalars['Int']['output'];
  edges: Array<EntityCardEdge>;
  next?: Maybe<Scalars['String']['output']>;
  pageInfo: PageInfo;
  previous?: Maybe<Scalars['String']['output']>;
  results: Array<EntityCard>;
};

export type EntityCardEdge = {
  __typename?: 'EntityCardEdge';
  cursor: Scalars['String']['output'];
  node: EntityCard;
};

export type Farmer = Entity & {
  __typename?: 'Farmer';
  buyer?: Maybe<Company>;
  buyer_id?: Maybe<Scalars['ID']['output']>;
  city?: Maybe<Scalars['String']['output']>;
  consent_status?: Maybe<ConsentStatus>;
  consent_status_raw?: Maybe<Scalars['String']['output']>;
  country?: Maybe<Scalars['String']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  date_of_birth?: Maybe<Scalars['Date']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  email?: Maybe<Scalars['String']['output']>;
  entity_card?: Maybe<EntityCard>;
  first_name?: Maybe<Scalars['String']['output']>;
  gender?: Maybe<Scalars['String']['output']>;
  house_name?: Maybe<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  identification_no?: Maybe<Scalars['String']['output']>;
  image?: Maybe<Scalars['String']['output']>;
  last_name?: Maybe<Scalars['String']['output']>;
  latitude?: Maybe<Scalars['Float']['output']>;
  longitude?: Maybe<Scalars['Float']['output']>;
  name?: Maybe<Scalars['String']['output']>;
  number?: Maybe<Scalars['String']['output']>;
  paymentTransactions?: Maybe<PaymentTransactionRows>;
  phone?: Maybe<Scalars['String']['output']>;
  plots?: Maybe<Scalars['JSON']['output']>;
  productTransactions?: Maybe<ProductTransactionRows>;
  province?: Maybe<Scalars['String']['output']>;
  reference_number?: Maybe<Scalars['String']['output']>;
  street?: Maybe<Scalars['String']['output']>;
  sub_province?: Maybe<Scalars['String']['output']>;
  submission?: Maybe<Submission>;
  totals?: Maybe<ProductTransactionTotals>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  zipcode?: Maybe<Scalars['String']['output']>;
};


export type FarmerPaymentTransactionsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
};


export type FarmerProductTransactionsArgs = {
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
};


export type FarmerTotalsArgs = {
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  groupBy?: InputMaybe<Array<ProductTransactionGroup>>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
};

export type FarmerCandidate = {
  __typename?: 'FarmerCandidate';
  agree: Array<Scalars['String']['output']>;
  farmer?: Maybe<Farmer>;
};

export type FarmerCandidateInput = {
  first_name?: InputMaybe<Scalars['String']['input']>;
  identification_no?: InputMaybe<Scalars['String']['input']>;
  last_name?: InputMaybe<Scalars['String']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  phone?: InputMaybe<Scalars['String']['input']>;
};

export type FarmerCandidates = {
  __typename?: 'FarmerCandidates';
  candidates: Array<FarmerCandidate>;
  complete: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
};

export type FarmerConnection = {
  __typename?: 'FarmerConnection';
  count: Scalars['Int']['output'];
  edges: Array<FarmerEdge>;
  next?: Maybe<Scalars['String']['output']>;
  pageInfo: PageInfo;
  previous?: Maybe<Scalars['String']['output']>;
  results: Array<Farmer>;
};

export type FarmerEdge = {
  __typename?: 'FarmerEdge';
  cursor: Scalars['String']['output'];
  node: Farmer;
};

export type FieldVisibility = {
  __typename?: 'FieldVisibility';
  company?: Maybe<Company>;
  company_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  id: Scalars['ID']['output'];
  name?: Maybe<Scalars['String']['output']>;
  type?: Maybe<Scalars['String']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  visibility?: Maybe<Scalars['Boolean']['output']>;
};

export type Form = {
  __typename?: 'Form';
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  field_config?: Maybe<Array<FormFieldConfig>>;
  fields?: Maybe<Array<FormField>>;
  form_type?: Maybe<FormType>;
  form_type_raw?: Maybe<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  owner?: Maybe<Company>;
  owner_id?: Maybe<Scalars['ID']['output']>;
  products?: Maybe<Array<Product>>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
};

export type FormConnection = {
  __typename?: 'FormConnection';
  count: Scalars['Int']['output'];
  edges: Array<FormEdge>;
  next?: Maybe<Scalars['String']['output']>;
  pageInfo: PageInfo;
  previous?: Maybe<Scalars['String']['output']>;
  results: Array<Form>;
};

export type FormEdge = {
  __typename?: 'FormEdge';
  cursor: Scalars['String']['output'];
  node: Form;
};

export type FormField = {
  __typename?: 'FormField';
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  default_value?: Maybe<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  key?: Maybe<Scalars['String']['output']>;
  label?: Maybe<Scalars['String']['output']>;
  label_en_uk?: Maybe<Scalars['String']['output']>;
  label_en_us?: Maybe<Scalars['String']['output']>;
  label_fr?: Maybe<Scalars['String']['output']>;
  label_ind?: Maybe<Scalars['String']['output']>;
  label_nl?: Maybe<Scalars['String']['output']>;
  localized_label?: Maybe<Scalars['String']['output']>;
  options?: Maybe<Scalars['String']['output']>;
  required?: Maybe<Scalars['Boolean']['output']>;
  type?: Maybe<Scalars['String']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
};


export type FormFieldLocalized_LabelArgs = {
  language?: InputMaybe<Scalars['String']['input']>;
};

export type FormFieldConfig = {
  __typename?: 'FormFieldConfig';
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  id: Scalars['ID']['output'];
  key?: Maybe<Scalars['String']['output']>;
  label?: Maybe<Scalars['String']['output']>;
  required?: Maybe<Scalars['Boolean']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  visibility?: Maybe<Scalars['Boolean']['output']>;
};

export type FormFieldConfigInput = {
  creator?: InputMaybe<Scalars['ID']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  key?: InputMaybe<Scalars['String']['input']>;
  label?: InputMaybe<Scalars['String']['input']>;
  required?: InputMaybe<Scalars['Boolean']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
  visibility?: InputMaybe<Scalars['Boolean']['input']>;
};

export type FormFieldInput = {
  creator?: InputMaybe<Scalars['ID']['input']>;
  default_value?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  key?: InputMaybe<Scalars['String']['input']>;
  label?: InputMaybe<Scalars['String']['input']>;
  label_en_uk?: InputMaybe<Scalars['String']['input']>;
  label_en_us?: InputMaybe<Scalars['String']['input']>;
  label_fr?: InputMaybe<Scalars['String']['input']>;
  label_ind?: InputMaybe<Scalars['String']['input']>;
  label_nl?: InputMaybe<Scalars['String']['input']>;
  options?: InputMaybe<Scalars['String']['input']>;
  required?: InputMaybe<Scalars['Boolean']['input']>;
  type?: InputMaybe<Scalars['String']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type FormType =
  | 'FARMER'
  | 'PAYMENT'
  | 'PRODUCT'
  | 'TRANSACTION'
  | 'UNKNOWN_VALUE';

export type Mutation = {
  __typename?: 'Mutation';
  createCompany?: Maybe<Company>;
  createCompanyMember?: Maybe<CompanyMember>;
  createEntityCard?: Maybe<EntityCard>;
  createFarmer?: Maybe<Farmer>;
  createForm?: Maybe<Form>;
  createPaymentTransaction?: Maybe<PaymentTransaction>;
  createPremium?: Maybe<Premium>;
  createProductTransaction?: Maybe<ProductTransaction>;
  push: Array<WriteResult>;
  updateCompany?: Maybe<Company>;
  updateUser?: Maybe<User>;
  uploadInvoice?: Maybe<PaymentTransaction>;
};


export type MutationCreateCompanyArgs = {
  input: CreateCompanyInput;
};


export type MutationCreateCompanyMemberArgs = {
  input: CreateCompanyMemberInput;
};


export type MutationCreateEntityCardArgs = {
  input: CreateEntityCardInput;
};


export type MutationCreateFarmerArgs = {
  input: CreateFarmerInput;
};


export type MutationCreateFormArgs = {
  input: CreateFormInput;
};


export type MutationCreatePaymentTransactionArgs = {
  input: CreatePaymentTransactionInput;
};


export type MutationCreatePremiumArgs = {
  input: CreatePremiumInput;
};


export type MutationCreateProductTransactionArgs = {
  input: CreateProductTransactionInput;
};


export type MutationPushArgs = {
  writes: Array<WriteInput>;
};


export type MutationUpdateCompanyArgs = {
  id: Scalars['ID']['input'];
  if_updated_on?: InputMaybe<Scalars['DateTime']['input']>;
  input: UpdateCompanyInput;
};


export type MutationUpdateUserArgs = {
  id: Scalars['ID']['input'];
  if_unchanged?: InputMaybe<UpdateUserInput>;
  input: UpdateUserInput;
};


export type MutationUploadInvoiceArgs = {
  invoice: Scalars['Upload']['input'];
  payment_transaction: Scalars['ID']['input'];
};

export type PageInfo = {
  __typename?: 'PageInfo';
  endCursor?: Maybe<Scalars['String']['output']>;
  hasNextPage: Scalars['Boolean']['output'];
  hasPreviousPage: Scalars['Boolean']['output'];
  startCursor?: Maybe<Scalars['String']['output']>;
};

export type PaymentTransaction = {
  __typename?: 'PaymentTransaction';
  amount?: Maybe<Scalars['Float']['output']>;
  card?: Maybe<Card>;
  card_id?: Maybe<Scalars['ID']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  currency?: Maybe<Currency>;
  currency_details?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  date?: Maybe<Scalars['DateTime']['output']>;
  destination?: Maybe<Entity>;
  destination_id?: Maybe<Scalars['ID']['output']>;
  id: Scalars['ID']['output'];
  invoice?: Maybe<Scalars['String']['output']>;
  invoice_number?: Maybe<Scalars['String']['output']>;
  method?: Maybe<VerificationMethod>;
  method_raw?: Maybe<Scalars['String']['output']>;
  number?: Maybe<Scalars['String']['output']>;
  payment_type?: Maybe<PaymentType>;
  payment_type_raw?: Maybe<Scalars['String']['output']>;
  premium?: Maybe<Premium>;
  premium_details?: Maybe<Premium>;
  premium_id?: Maybe<Scalars['ID']['output']>;
  selected_option?: Maybe<PremiumOption>;
  selected_option_id?: Maybe<Scalars['ID']['output']>;
  source?: Maybe<Entity>;
  source_id?: Maybe<Scalars['ID']['output']>;
  submission_details?: Maybe<Array<Maybe<Submission>>>;
  submissions?: Maybe<Array<Scalars['ID']['output']>>;
  transaction?: Maybe<ProductTransaction>;
  transaction_id?: Maybe<Scalars['ID']['output']>;
  type?: Maybe<Scalars['String']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  verification_latitude?: Maybe<Scalars['Float']['output']>;
  verification_longitude?: Maybe<Scalars['Float']['output']>;
};

export type PaymentTransactionConnection = {
  __typename?: 'PaymentTransactionConnection';
  count: Scalars['Int']['output'];
  edges: Array<PaymentTransactionEdge>;
  next?: Maybe<Scalars['String']['output']>;
  pageInfo: PageInfo;
  previous?: Maybe<Scalars['String']['output']>;
  results: Array<PaymentTransaction>;
};

export type PaymentTransactionEdge = {
  __typename?: 'PaymentTransactionEdge';
  cursor: Scalars['String']['output'];
  node: PaymentTransaction;
};

export type PaymentTransactionGroup =
  | 'DESTINATION'
  | 'MONTH'
  | 'PAYMENT_TYPE'
  | 'PREMIUM'
  | 'SOURCE';

export type PaymentTransactionInput = {
  amount?: InputMaybe<Scalars['Float']['input']>;
  card?: InputMaybe<Scalars['ID']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  currency?: InputMaybe<Scalars['ID']['input']>;
  date?: InputMaybe<Scalars['DateTime']['input']>;
  destination?: InputMaybe<Scalars['ID']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  invoice_number?: InputMaybe<Scalars['String']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  premium?: InputMaybe<Scalars['ID']['input']>;
  selected_option?: InputMaybe<Scalars['ID']['input']>;
  source?: InputMaybe<Scalars['ID']['input']>;
  submissions?: InputMaybe<Array<Scalars['ID']['input']>>;
  transaction?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
  verification_latitude?: InputMaybe<Scalars['Float']['input']>;
  verification_longitude?: InputMaybe<Scalars['Float']['input']>;
};

export type PaymentTransactionRows = {
  __typename?: 'PaymentTransactionRows';
  complete: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
  results: Array<PaymentTransaction>;
};

export type PaymentTransactionTotal = {
  __typename?: 'PaymentTransactionTotal';
  amount?: Maybe<Scalars['Decimal']['output']>;
  count: Scalars['Int']['output'];
  currency?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  destination?: Maybe<Entity>;
  destination_id?: Maybe<Scalars['ID']['output']>;
  month?: Maybe<Scalars['String']['output']>;
  payment_type?: Maybe<PaymentType>;
  payment_type_raw?: Maybe<Scalars['String']['output']>;
  premium?: Maybe<Premium>;
  premium_id?: Maybe<Scalars['ID']['output']>;
  source?: Maybe<Entity>;
  source_id?: Maybe<Scalars['ID']['output']>;
};

export type PaymentTransactionTotals = {
  __typename?: 'PaymentTransactionTotals';
  complete: Scalars['Boolean']['output'];
  groups: Array<PaymentTransactionTotal>;
  reason?: Maybe<Scalars['String']['output']>;
  rows: Scalars['Int']['output'];
};

export type PaymentType =
  | 'PREMIUM'
  | 'TRANSACTION'
  | 'TRANSACTION_PREMIUM'
  | 'UNKNOWN_VALUE';

export type Premium = {
  __typename?: 'Premium';
  amount?: Maybe<Scalars['Float']['output']>;
  applicable_activity?: Maybe<PremiumActivity>;
  applicable_activity_raw?: Maybe<Scalars['String']['output']>;
  calculation_type?: Maybe<PremiumCalculationType>;
  calculation_type_raw?: Maybe<Scalars['String']['output']>;
  category?: Maybe<PremiumCategory>;
  category_raw?: Maybe<Scalars['String']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  dependant_on_card?: Maybe<Scalars['Boolean']['output']>;
  id: Scalars['ID']['output'];
  included?: Maybe<Scalars['Boolean']['output']>;
  is_active?: Maybe<Scalars['Boolean']['output']>;
  name?: Maybe<Scalars['String']['output']>;
  options?: Maybe<Array<PremiumOption>>;
  owner?: Maybe<Company>;
  owner_id?: Maybe<Scalars['ID']['output']>;
  type?: Maybe<PremiumType>;
  type_raw?: Maybe<Scalars['String']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
};

export type PremiumActivity =
  | 'BUY'
  | 'SELL'
  | 'UNKNOWN_VALUE';

export type PremiumCalculationType =
  | 'MANUAL'
  | 'NORMAL'
  | 'OPTIONS'
  | 'UNKNOWN_VALUE';

export type PremiumCategory =
  | 'PAYOUT'
  | 'TRANSACTION'
  | 'UNKNOWN_VALUE';

export type PremiumConnection = {
  __typename?: 'PremiumConnection';
  count: Scalars['Int']['output'];
  edges: Array<PremiumEdge>;
  next?: Maybe<Scalars['String']['output']>;
  pageInfo: PageInfo;
  previous?: Maybe<Scalars['String']['output']>;
  results: Array<Premium>;
};

export type PremiumEdge = {
  __typename?: 'PremiumEdge';
  cursor: Scalars['String']['output'];
  node: Premium;
};

export type PremiumOption = {
  __typename?: 'PremiumOption';
  amount?: Maybe<Scalars['Float']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  id: Scalars['ID']['output'];
  is_active?: Maybe<Scalars['Boolean']['output']>;
  name?: Maybe<Scalars['String']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
};

export type PremiumOptionInput = {
  amount?: InputMaybe<Scalars['Float']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  is_active?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
};

export type PremiumType =
  | 'PER_FARMER'
  | 'PER_KG'
  | 'PER_TRANSACTION'
  | 'PER_UNIT_CURRENCY'
  | 'UNKNOWN_VALUE';

export type Product = {
  __typename?: 'Product';
  active?: Maybe<Scalars['Boolean']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  image?: Maybe<Scalars['String']['output']>;
  /** @deprecated Use `active`. May be removed after 2027-06-30. */
  is_active?: Maybe<Scalars['String']['output']>;
  name?: Maybe<Scalars['String']['output']>;
  premium_details?: Maybe<Array<Maybe<Premium>>>;
  premium_ids?: Maybe<Array<Scalars['ID']['output']>>;
  /** @deprecated Use `premium_ids`. May be removed after 2027-06-30. */
  premiums?: Maybe<Scalars['String']['output']>;
  productTransactions?: Maybe<ProductTransactionRows>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
};


export type ProductProductTransactionsArgs = {
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
};

export type ProductConnection = {
  __typename?: 'ProductConnection';
  count: Scalars['Int']['output'];
  edges: Array<ProductEdge>;
  next?: Maybe<Scalars['String']['output']>;
  pageInfo: PageInfo;
  previous?: Maybe<Scalars['String']['output']>;
  results: Array<Product>;
};

export type ProductEdge = {
  __typename?: 'ProductEdge';
  cursor: Scalars['String']['output'];
  node: Product;
};

export type ProductTransaction = {
  __typename?: 'ProductTransaction';
  amount?: Maybe<Scalars['Decimal']['output']>;
  card?: Maybe<Card>;
  card_details?: Maybe<Card>;
  card_id?: Maybe<Scalars['ID']['output']>;
  children?: Maybe<ProductTransactionRows>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  currency?: Maybe<Currency>;
  currency_details?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  current_quantity?: Maybe<Scalars['Decimal']['output']>;
  date?: Maybe<Scalars['DateTime']['output']>;
  destination?: Maybe<Entity>;
  destination_id?: Maybe<Scalars['ID']['output']>;
  id: Scalars['ID']['output'];
  invoice?: Maybe<Scalars['String']['output']>;
  invoice_number?: Maybe<Scalars['String']['output']>;
  is_deleted?: Maybe<Scalars['Boolean']['output']>;
  method?: Maybe<VerificationMethod>;
  method_raw?: Maybe<Scalars['String']['output']>;
  number?: Maybe<Scalars['String']['output']>;
  origin?: Maybe<Trace>;
  parent_ids?: Maybe<Array<Scalars['ID']['output']>>;
  parents?: Maybe<Array<Maybe<ProductTransaction>>>;
  product?: Maybe<Product>;
  product_id?: Maybe<Scalars['ID']['output']>;
  quality_correction?: Maybe<Scalars['Float']['output']>;
  quantity?: Maybe<Scalars['Decimal']['output']>;
  source?: Maybe<Entity>;
  source_id?: Maybe<Scalars['ID']['output']>;
  source_quantity?: Maybe<Scalars['Decimal']['output']>;
  submissions?: Maybe<Array<Submission>>;
  transaction_payments?: Maybe<Array<PaymentTransaction>>;
  type?: Maybe<Scalars['String']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  use?: Maybe<Trace>;
  verification_latitude?: Maybe<Scalars['Float']['output']>;
  verification_longitude?: Maybe<Scalars['Float']['output']>;
};


export type ProductTransactionChildrenArgs = {
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
};


export type ProductTransactionOriginArgs = {
  depth?: InputMaybe<Scalars['Int']['input']>;
};


export type ProductTransactionUseArgs = {
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  depth?: InputMaybe<Scalars['Int']['input']>;
};

export type ProductTransactionConnection = {
  __typename?: 'ProductTransactionConnection';
  count: Scalars['Int']['output'];
  edges: Array<ProductTransactionEdge>;
  next?: Maybe<Scalars['String']['output']>;
  pageInfo: PageInfo;
  previous?: Maybe<Scalars['String']['output']>;
  results: Array<ProductTransaction>;
};

export type ProductTransactionEdge = {
  __typename?: 'ProductTransactionEdge';
  cursor: Scalars['String']['output'];
  node: ProductTransaction;
};

export type ProductTransactionGroup =
  | 'DESTINATION'
  | 'MONTH'
  | 'PRODUCT'
  | 'SOURCE';

export type ProductTransactionPremiumTotal = {
  __typename?: 'ProductTransactionPremiumTotal';
  amount?: Maybe<Scalars['Decimal']['output']>;
  count: Scalars['Int']['output'];
  currency?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  premium?: Maybe<Premium>;
  premium_id?: Maybe<Scalars['ID']['output']>;
};

export type ProductTransactionRows = {
  __typename?: 'ProductTransactionRows';
  complete: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
  results: Array<ProductTransaction>;
};

export type ProductTransactionTotal = {
  __typename?: 'ProductTransactionTotal';
  amount?: Maybe<Scalars['Decimal']['output']>;
  count: Scalars['Int']['output'];
  currency?: Maybe<Currency>;
  currency_id?: Maybe<Scalars['ID']['output']>;
  destination?: Maybe<Entity>;
  destination_id?: Maybe<Scalars['ID']['output']>;
  month?: Maybe<Scalars['String']['output']>;
  premiums: Array<ProductTransactionPremiumTotal>;
  product?: Maybe<Product>;
  product_id?: Maybe<Scalars['ID']['output']>;
  quantity?: Maybe<Scalars['Decimal']['output']>;
  source?: Maybe<Entity>;
  source_id?: Maybe<Scalars['ID']['output']>;
};

export type ProductTransactionTotals = {
  __typename?: 'ProductTransactionTotals';
  complete: Scalars['Boolean']['output'];
  groups: Array<ProductTransactionTotal>;
  reason?: Maybe<Scalars['String']['output']>;
  rows: Scalars['Int']['output'];
};

export type Query = {
  __typename?: 'Query';
  activeCompany?: Maybe<Company>;
  cardHolder?: Maybe<CardHolder>;
  cards?: Maybe<CardConnection>;
  company?: Maybe<Company>;
  currencies?: Maybe<CurrencyConnection>;
  entity?: Maybe<Entity>;
  entityCards?: Maybe<EntityCardConnection>;
  farmer?: Maybe<Farmer>;
  farmerCandidates?: Maybe<FarmerCandidates>;
  farmers?: Maybe<FarmerConnection>;
  form?: Maybe<Form>;
  forms?: Maybe<FormConnection>;
  me?: Maybe<User>;
  paymentTransaction?: Maybe<PaymentTransaction>;
  paymentTransactionTotals?: Maybe<PaymentTransactionTotals>;
  paymentTransactions?: Maybe<PaymentTransactionConnection>;
  premium?: Maybe<Premium>;
  premiums?: Maybe<PremiumConnection>;
  productTransaction?: Maybe<ProductTransaction>;
  productTransactionTotals?: Maybe<ProductTransactionTotals>;
  productTransactions?: Maybe<ProductTransactionConnection>;
  products?: Maybe<ProductConnection>;
  serverTime: Scalars['DateTime']['output'];
  user?: Maybe<User>;
};


export type QueryCardHolderArgs = {
  card_id: Scalars['String']['input'];
};


export type QueryCardsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryCompanyArgs = {
  id: Scalars['ID']['input'];
};


export type QueryCurrenciesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  code?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
};


export type QueryEntityArgs = {
  id: Scalars['ID']['input'];
};


export type QueryEntityCardsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  card_id?: InputMaybe<Scalars['String']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
};


export type QueryFarmerArgs = {
  id: Scalars['ID']['input'];
};


export type QueryFarmerCandidatesArgs = {
  input: FarmerCandidateInput;
};


export type QueryFarmersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  entity?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  first_name?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  last_name?: InputMaybe<Scalars['String']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  reference_number?: InputMaybe<Scalars['String']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
};


export type QueryFormArgs = {
  id: Scalars['ID']['input'];
};


export type QueryFormsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryPaymentTransactionArgs = {
  id: Scalars['ID']['input'];
};


export type QueryPaymentTransactionTotalsArgs = {
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  groupBy?: InputMaybe<Array<PaymentTransactionGroup>>;
  payment_type?: InputMaybe<PaymentType>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
};


export type QueryPaymentTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  payment_type?: InputMaybe<PaymentType>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
};


export type QueryPremiumArgs = {
  id: Scalars['ID']['input'];
};


export type QueryPremiumsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryProductTransactionArgs = {
  id: Scalars['ID']['input'];
};


export type QueryProductTransactionTotalsArgs = {
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  entity?: InputMaybe<Scalars['ID']['input']>;
  groupBy?: InputMaybe<Array<ProductTransactionGroup>>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
  reverse_sync?: InputMaybe<Scalars['Boolean']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
};


export type QueryProductTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  created_after?: InputMaybe<Scalars['DateTime']['input']>;
  entity?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  quantity_available?: InputMaybe<Scalars['Boolean']['input']>;
  reverse_sync?: InputMaybe<Scalars['Boolean']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
  updated_before?: InputMaybe<Scalars['DateTime']['input']>;
};


export type QueryProductsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  updated_after?: InputMaybe<Scalars['DateTime']['input']>;
};


export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};

export type Submission = {
  __typename?: 'Submission';
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  form?: Maybe<Form>;
  form_details?: Maybe<Form>;
  form_id?: Maybe<Scalars['ID']['output']>;
  id: Scalars['ID']['output'];
  product?: Maybe<Product>;
  product_id?: Maybe<Scalars['ID']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  values?: Maybe<Array<SubmissionValue>>;
};

export type SubmissionInput = {
  creator?: InputMaybe<Scalars['ID']['input']>;
  form: Scalars['ID']['input'];
  id?: InputMaybe<Scalars['ID']['input']>;
  product?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
  values: Array<SubmissionValueInput>;
};

export type SubmissionValue = {
  __typename?: 'SubmissionValue';
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  field?: Maybe<FormField>;
  field_details?: Maybe<FormField>;
  field_id?: Maybe<Scalars['ID']['output']>;
  id: Scalars['ID']['output'];
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  value?: Maybe<Scalars['String']['output']>;
};

export type SubmissionValueInput = {
  creator?: InputMaybe<Scalars['ID']['input']>;
  field: Scalars['ID']['input'];
  id?: InputMaybe<Scalars['ID']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
  value: Scalars['String']['input'];
};

export type Trace = {
  __typename?: 'Trace';
  complete: Scalars['Boolean']['output'];
  destinations: Array<TracedParty>;
  looked_back_to?: Maybe<Scalars['DateTime']['output']>;
  lots: Array<TracedLot>;
  reason?: Maybe<Scalars['String']['output']>;
  sources: Array<TracedParty>;
};

export type TracedLot = {
  __typename?: 'TracedLot';
  children: Array<Scalars['ID']['output']>;
  depth: Scalars['Int']['output'];
  parents: Array<Scalars['ID']['output']>;
  transaction?: Maybe<ProductTransaction>;
  transaction_id: Scalars['ID']['output'];
};

export type TracedParty = {
  __typename?: 'TracedParty';
  entity?: Maybe<Entity>;
  entity_id?: Maybe<Scalars['ID']['output']>;
  lots: Array<Scalars['ID']['output']>;
  quantity?: Maybe<Scalars['Decimal']['output']>;
};

export type UnknownEntity = Entity & {
  __typename?: 'UnknownEntity';
  buyer?: Maybe<Company>;
  buyer_id?: Maybe<Scalars['ID']['output']>;
  city?: Maybe<Scalars['String']['output']>;
  country?: Maybe<Scalars['String']['output']>;
  created_on?: Maybe<Scalars['DateTime']['output']>;
  creator?: Maybe<User>;
  creator_id?: Maybe<Scalars['ID']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  email?: Maybe<Scalars['String']['output']>;
  entity_card?: Maybe<EntityCard>;
  house_name?: Maybe<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  image?: Maybe<Scalars['String']['output']>;
  latitude?: Maybe<Scalars['Float']['output']>;
  longitude?: Maybe<Scalars['Float']['output']>;
  name?: Maybe<Scalars['String']['output']>;
  phone?: Maybe<Scalars['String']['output']>;
  province?: Maybe<Scalars['String']['output']>;
  street?: Maybe<Scalars['String']['output']>;
  sub_province?: Maybe<Scalars['String']['output']>;
  updated_on?: Maybe<Scalars['DateTime']['output']>;
  updater?: Maybe<User>;
  updater_id?: Maybe<Scalars['ID']['output']>;
  zipcode?: Maybe<Scalars['String']['output']>;
};

export type UpdateCompanyInput = {
  allow_multiple_login?: InputMaybe<Scalars['Boolean']['input']>;
  buy_enabled?: InputMaybe<Scalars['Boolean']['input']>;
  buyer?: InputMaybe<Scalars['ID']['input']>;
  city?: InputMaybe<Scalars['String']['input']>;
  country?: InputMaybe<Scalars['String']['input']>;
  created_on?: InputMaybe<Scalars['DateTime']['input']>;
  creator?: InputMaybe<Scalars['ID']['input']>;
  currency?: InputMaybe<Scalars['ID']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
  entity_card?: InputMaybe<Scalars['ID']['input']>;
  house_name?: InputMaybe<Scalars['String']['input']>;
  latitude?: InputMaybe<Scalars['Float']['input']>;
  longitude?: InputMaybe<Scalars['Float']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  phone?: InputMaybe<Scalars['String']['input']>;
  province?: InputMaybe<Scalars['String']['input']>;
  quality_correction?: InputMaybe<Scalars['Boolean']['input']>;
  sell_enabled?: InputMaybe<Scalars['Boolean']['input']>;
  street?: InputMaybe<Scalars['String']['input']>;
  sub_province?: InputMaybe<Scalars['String']['input']>;
  updater?: InputMaybe<Scalars['ID']['input']>;
  zipcode?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateCompanyWrite = {
  id: Scalars['ID']['input'];
  if_updated_on?: InputMaybe<Scalars['DateTime']['input']>;
  input: UpdateCompanyInput;
};

export type UpdateUserInput = {
  accepted_policy?: InputMaybe<Scalars['ID']['input']>;
  address?: InputMaybe<Scalars['String']['input']>;
  default_entity?: InputMaybe<Scalars['ID']['input']>;
  dob?: InputMaybe<Scalars['Date']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
  first_name?: InputMaybe<Scalars['String']['input']>;
  language?: InputMaybe<Scalars['String']['input']>;
  last_name?: InputMaybe<Scalars['String']['input']>;
  phone?: InputMaybe<Scalars['String']['input']>;
  updated_email?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateUserWrite = {
  id: Scalars['ID']['input'];
  if_unchanged?: InputMaybe<UpdateUserInput>;
  input: UpdateUserInput;
};

export type User = {
  __typename?: 'User';
  accepted_policy?: Maybe<Scalars['ID']['output']>;
  address?: Maybe<Scalars['String']['output']>;
  current_policy?: Maybe<Scalars['ID']['output']>;
  current_policy_accepted?: Maybe<Scalars['Boolean']['output']>;
  default_entity?: Maybe<Entity>;
  default_entity_id?: Maybe<Scalars['ID']['output']>;
  dob?: Maybe<Scalars['Date']['output']>;
  email?: Maybe<Scalars['String']['output']>;
  first_name?: Maybe<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  image?: Maybe<Scalars['String']['output']>;
  language?: Maybe<Scalars['String']['output']>;
  last_name?: Maybe<Scalars['String']['output']>;
  managing_entity_ids?: Maybe<Array<Scalars['ID']['output']>>;
  managing_entitys?: Maybe<Array<Maybe<Entity>>>;
  phone?: Maybe<Scalars['String']['output']>;
  /** @deprecated Use `current_policy_accepted`. May be removed after 2027-06-30. */
  policy_accepted?: Maybe<Scalars['String']['output']>;
  updated_email?: Maybe<Scalars['String']['output']>;
};

export type UserInput = {
  accepted_policy?: InputMaybe<Scalars['ID']['input']>;
  address?: InputMaybe<Scalars['String']['input']>;
  default_entity?: InputMaybe<Scalars['ID']['input']>;
  dob?: InputMaybe<Scalars['Date']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
  first_name?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  language?: InputMaybe<Scalars['String']['input']>;
  last_name?: InputMaybe<Scalars['String']['input']>;
  phone?: InputMaybe<Scalars['String']['input']>;
  updated_email?: InputMaybe<Scalars['String']['input']>;
};

export type VerificationMethod =
  | 'CARD'
  | 'INVOICE'
  | 'NONE'
  | 'UNKNOWN_VALUE';

export type Write =
  { createCompany: CreateCompanyInput; createCompanyMember?: never; createEntityCard?: never; createFarmer?: never; createForm?: never; createPaymentTransaction?: never; createPremium?: never; createProductTransaction?: never; updateCompany?: never; updateUser?: never; }
  |  { createCompany?: never; createCompanyMember: CreateCompanyMemberInput; createEntityCard?: never; createFarmer?: never; createForm?: never; createPaymentTransaction?: never; createPremium?: never; createProductTransaction?: never; updateCompany?: never; updateUser?: never; }
  |  { createCompany?: never; createCompanyMember?: never; createEntityCard: CreateEntityCardInput; createFarmer?: never; createForm?: never; createPaymentTransaction?: never; createPremium?: never; createProductTransaction?: never; updateCompany?: never; updateUser?: never; }
  |  { createCompany?: never; createCompanyMember?: never; createEntityCard?: never; createFarmer: CreateFarmerInput; createForm?: never; createPaymentTransaction?: never; createPremium?: never; createProductTransaction?: never; updateCompany?: never; updateUser?: never; }
  |  { createCompany?: never; createCompanyMember?: never; createEntityCard?: never; createFarmer?: never; createForm: CreateFormInput; createPaymentTransaction?: never; createPremium?: never; createProductTransaction?: never; updateCompany?: never; updateUser?: never; }
  |  { createCompany?: never; createCompanyMember?: never; createEntityCard?: never; createFarmer?: never; createForm?: never; createPaymentTransaction: CreatePaymentTransactionInput; createPremium?: never; createProductTransaction?: never; updateCompany?: never; updateUser?: never; }
  |  { createCompany?: never; createCompanyMember?: never; createEntityCard?: never; createFarmer?: never; createForm?: never; createPaymentTransaction?: never; createPremium: CreatePremiumInput; createProductTransaction?: never; updateCompany?: never; updateUser?: never; }
  |  { createCompany?: never; createCompanyMember?: never; createEntityCard?: never; createFarmer?: never; createForm?: never; createPaymentTransaction?: never; createPremium?: never; createProductTransaction: CreateProductTransactionInput; updateCompany?: never; updateUser?: never; }
  |  { createCompany?: never; createCompanyMember?: never; createEntityCard?: never; createFarmer?: never; createForm?: never; createPaymentTransaction?: never; createPremium?: never; createProductTransaction?: never; updateCompany: UpdateCompanyWrite; updateUser?: never; }
  |  { createCompany?: never; createCompanyMember?: never; createEntityCard?: never; createFarmer?: never; createForm?: never; createPaymentTransaction?: never; createPremium?: never; createProductTransaction?: never; updateCompany?: never; updateUser: UpdateUserWrite; };

export type WriteError = {
  __typename?: 'WriteError';
  code: Scalars['String']['output'];
  fields?: Maybe<Array<WriteFieldError>>;
  message: Scalars['String']['output'];
  retry_after?: Maybe<Scalars['Int']['output']>;
  retryable: Scalars['Boolean']['output'];
  upstream_status?: Maybe<Scalars['Int']['output']>;
};

export type WriteFieldError = {
  __typename?: 'WriteFieldError';
  message: Scalars['String']['output'];
  path: Array<Scalars['String']['output']>;
};

export type WriteInput = {
  key: Scalars['String']['input'];
  ref?: InputMaybe<Scalars['String']['input']>;
  write: Write;
};

export type WriteResult = {
  __typename?: 'WriteResult';
  error?: Maybe<WriteError>;
  key: Scalars['String']['output'];
  object?: Maybe<WrittenObject>;
  ref?: Maybe<Scalars['String']['output']>;
  status: WriteStatus;
};

export type WriteStatus =
  | 'DONE'
  | 'NOT_TRIED'
  | 'REFUSED'
  | 'REPLAYED'
  | 'UNKNOWN';

export type WrittenObject = Company | CompanyMember | EntityCard | Farmer | Form | PaymentTransaction | Premium | ProductTransaction | User;



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
    | ( components['schemas']['CompanyDetail'] )
    | ( components['schemas']['CompanyMember'] )
    | ( components['schemas']['EntityCard'] )
    | ( components['schemas']['Farmer'] )
    | ( components['schemas']['Form'] )
    | ( components['schemas']['PaymentTransaction'] )
    | ( components['schemas']['Premium'] )
    | ( components['schemas']['ProductTransaction'] )
    | ( components['schemas']['User'] )
  ;
};

/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Entity:
    | ( components['schemas']['CompanyDetail'] )
    | ( components['schemas']['Farmer'] )
    | ( { id: string } )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Card: ResolverTypeWrapper<components['schemas']['Card']>;
  CardConnection: ResolverTypeWrapper<Connection<components['schemas']['Card']>>;
  CardEdge: ResolverTypeWrapper<Omit<CardEdge, 'node'> & { node: ResolversTypes['Card'] }>;
  CardHolder: ResolverTypeWrapper<Omit<CardHolder, 'holder'> & { holder?: Maybe<ResolversTypes['Entity']> }>;
  CardInput: CardInput;
  Company: ResolverTypeWrapper<components['schemas']['CompanyDetail']>;
  CompanyBalance: ResolverTypeWrapper<Omit<CompanyBalance, 'products'> & { products: Array<ResolversTypes['CompanyProductBalance']> }>;
  CompanyMember: ResolverTypeWrapper<components['schemas']['CompanyMember']>;
  CompanyProductBalance: ResolverTypeWrapper<Omit<CompanyProductBalance, 'product'> & { product?: Maybe<ResolversTypes['Product']> }>;
  ConsentStatus: ConsentStatus;
  CreateCompanyInput: CreateCompanyInput;
  CreateCompanyMemberInput: CreateCompanyMemberInput;
  CreateEntityCardInput: CreateEntityCardInput;
  CreateFarmerInput: CreateFarmerInput;
  CreateFormInput: CreateFormInput;
  CreatePaymentTransactionInput: CreatePaymentTransactionInput;
  CreatePremiumInput: CreatePremiumInput;
  CreateProductTransactionInput: CreateProductTransactionInput;
  Currency: ResolverTypeWrapper<components['schemas']['Currency']>;
  CurrencyConnection: ResolverTypeWrapper<Connection<components['schemas']['Currency']>>;
  CurrencyEdge: ResolverTypeWrapper<Omit<CurrencyEdge, 'node'> & { node: ResolversTypes['Currency'] }>;
  Date: ResolverTypeWrapper<Scalars['Date']['output']>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  Entity: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Entity']>;
  EntityCard: ResolverTypeWrapper<components['schemas']['EntityCard']>;
  EntityCardConnection: ResolverTypeWrapper<Connection<components['schemas']['EntityCard']>>;
  EntityCardEdge: ResolverTypeWrapper<Omit<EntityCardEdge, 'node'> & { node: ResolversTypes['EntityCard'] }>;
  Farmer: ResolverTypeWrapper<components['schemas']['Farmer']>;
  FarmerCandidate: ResolverTypeWrapper<Omit<FarmerCandidate, 'farmer'> & { farmer?: Maybe<ResolversTypes['Farmer']> }>;
  FarmerCandidateInput: FarmerCandidateInput;
  FarmerCandidates: ResolverTypeWrapper<Omit<FarmerCandidates, 'candidates'> & { candidates: Array<ResolversTypes['FarmerCandidate']> }>;
  FarmerConnection: ResolverTypeWrapper<Connection<components['schemas']['Farmer']>>;
  FarmerEdge: ResolverTypeWrapper<Omit<FarmerEdge, 'node'> & { node: ResolversTypes['Farmer'] }>;
  FieldVisibility: ResolverTypeWrapper<components['schemas']['FieldVisibility']>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Form: ResolverTypeWrapper<components['schemas']['Form']>;
  FormConnection: ResolverTypeWrapper<Connection<components['schemas']['Form']>>;
  FormEdge: ResolverTypeWrapper<Omit<FormEdge, 'node'> & { node: ResolversTypes['Form'] }>;
  FormField: ResolverTypeWrapper<components['schemas']['FormField']>;
  FormFieldConfig: ResolverTypeWrapper<components['schemas']['FormFieldConfig']>;
  FormFieldConfigInput: FormFieldConfigInput;
  FormFieldInput: FormFieldInput;
  FormType: FormType;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  PaymentTransaction: ResolverTypeWrapper<components['schemas']['PaymentTransaction']>;
  PaymentTransactionConnection: ResolverTypeWrapper<Connection<components['schemas']['PaymentTransaction']>>;
  PaymentTransactionEdge: ResolverTypeWrapper<Omit<PaymentTransactionEdge, 'node'> & { node: ResolversTypes['PaymentTransaction'] }>;
  PaymentTransactionGroup: PaymentTransactionGroup;
  PaymentTransactionInput: PaymentTransactionInput;
  PaymentTransactionRows: ResolverTypeWrapper<FoundRows<components['schemas']['PaymentTransaction']>>;
  PaymentTransactionTotal: ResolverTypeWrapper<Omit<PaymentTransactionTotal, 'currency' | 'destination' | 'premium' | 'source'> & { currency?: Maybe<ResolversTypes['Currency']>, destination?: Maybe<ResolversTypes['Entity']>, premium?: Maybe<ResolversTypes['Premium']>, source?: Maybe<ResolversTypes['Entity']> }>;
  PaymentTransactionTotals: ResolverTypeWrapper<Omit<PaymentTransactionTotals, 'groups'> & { groups: Array<ResolversTypes['PaymentTransactionTotal']> }>;
  PaymentType: PaymentType;
  Premium: ResolverTypeWrapper<components['schemas']['Premium']>;
  PremiumActivity: PremiumActivity;
  PremiumCalculationType: PremiumCalculationType;
  PremiumCategory: PremiumCategory;
  PremiumConnection: ResolverTypeWrapper<Connection<components['schemas']['Premium']>>;
  PremiumEdge: ResolverTypeWrapper<Omit<PremiumEdge, 'node'> & { node: ResolversTypes['Premium'] }>;
  PremiumOption: ResolverTypeWrapper<components['schemas']['PremiumOption']>;
  PremiumOptionInput: PremiumOptionInput;
  PremiumType: PremiumType;
  Product: ResolverTypeWrapper<components['schemas']['Product']>;
  ProductConnection: ResolverTypeWrapper<Connection<components['schemas']['Product']>>;
  ProductEdge: ResolverTypeWrapper<Omit<ProductEdge, 'node'> & { node: ResolversTypes['Product'] }>;
  ProductTransaction: ResolverTypeWrapper<components['schemas']['ProductTransaction']>;
  ProductTransactionConnection: ResolverTypeWrapper<Connection<components['schemas']['ProductTransaction']>>;
  ProductTransactionEdge: ResolverTypeWrapper<Omit<ProductTransactionEdge, 'node'> & { node: ResolversTypes['ProductTransaction'] }>;
  ProductTransactionGroup: ProductTransactionGroup;
  ProductTransactionPremiumTotal: ResolverTypeWrapper<Omit<ProductTransactionPremiumTotal, 'currency' | 'premium'> & { currency?: Maybe<ResolversTypes['Currency']>, premium?: Maybe<ResolversTypes['Premium']> }>;
  ProductTransactionRows: ResolverTypeWrapper<FoundRows<components['schemas']['ProductTransaction']>>;
  ProductTransactionTotal: ResolverTypeWrapper<Omit<ProductTransactionTotal, 'currency' | 'destination' | 'premiums' | 'product' | 'source'> & { currency?: Maybe<ResolversTypes['Currency']>, destination?: Maybe<ResolversTypes['Entity']>, premiums: Array<ResolversTypes['ProductTransactionPremiumTotal']>, product?: Maybe<ResolversTypes['Product']>, source?: Maybe<ResolversTypes['Entity']> }>;
  ProductTransactionTotals: ResolverTypeWrapper<Omit<ProductTransactionTotals, 'groups'> & { groups: Array<ResolversTypes['ProductTransactionTotal']> }>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Submission: ResolverTypeWrapper<components['schemas']['Submission']>;
  SubmissionInput: SubmissionInput;
  SubmissionValue: ResolverTypeWrapper<components['schemas']['SubmissionValue']>;
  SubmissionValueInput: SubmissionValueInput;
  Trace: ResolverTypeWrapper<Omit<Trace, 'destinations' | 'lots' | 'sources'> & { destinations: Array<ResolversTypes['TracedParty']>, lots: Array<ResolversTypes['TracedLot']>, sources: Array<ResolversTypes['TracedParty']> }>;
  TracedLot: ResolverTypeWrapper<Omit<TracedLot, 'transaction'> & { transaction?: Maybe<ResolversTypes['ProductTransaction']> }>;
  TracedParty: ResolverTypeWrapper<Omit<TracedParty, 'entity'> & { entity?: Maybe<ResolversTypes['Entity']> }>;
  UnknownEntity: ResolverTypeWrapper<{ id: string }>;
  UpdateCompanyInput: UpdateCompanyInput;
  UpdateCompanyWrite: UpdateCompanyWrite;
  UpdateUserInput: UpdateUserInput;
  UpdateUserWrite: UpdateUserWrite;
  Upload: ResolverTypeWrapper<Scalars['Upload']['output']>;
  User: ResolverTypeWrapper<components['schemas']['User']>;
  UserInput: UserInput;
  VerificationMethod: VerificationMethod;
  Write: Write;
  WriteError: ResolverTypeWrapper<WriteError>;
  WriteFieldError: ResolverTypeWrapper<WriteFieldError>;
  WriteInput: WriteInput;
  WriteResult: ResolverTypeWrapper<Omit<WriteResult, 'object'> & { object?: Maybe<ResolversTypes['WrittenObject']> }>;
  WriteStatus: WriteStatus;
  WrittenObject: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['WrittenObject']>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Boolean: Scalars['Boolean']['output'];
  Card: components['schemas']['Card'];
  CardConnection: Connection<components['schemas']['Card']>;
  CardEdge: Omit<CardEdge, 'node'> & { node: ResolversParentTypes['Card'] };
  CardHolder: Omit<CardHolder, 'holder'> & { holder?: Maybe<ResolversParentTypes['Entity']> };
  CardInput: CardInput;
  Company: components['schemas']['CompanyDetail'];
  CompanyBalance: Omit<CompanyBalance, 'products'> & { products: Array<ResolversParentTypes['CompanyProductBalance']> };
  CompanyMember: components['schemas']['CompanyMember'];
  CompanyProductBalance: Omit<CompanyProductBalance, 'product'> & { product?: Maybe<ResolversParentTypes['Product']> };
  CreateCompanyInput: CreateCompanyInput;
  CreateCompanyMemberInput: CreateCompanyMemberInput;
  CreateEntityCardInput: CreateEntityCardInput;
  CreateFarmerInput: CreateFarmerInput;
  CreateFormInput: CreateFormInput;
  CreatePaymentTransactionInput: CreatePaymentTransactionInput;
  CreatePremiumInput: CreatePremiumInput;
  CreateProductTransactionInput: CreateProductTransactionInput;
  Currency: components['schemas']['Currency'];
  CurrencyConnection: Connection<components['schemas']['Currency']>;
  CurrencyEdge: Omit<CurrencyEdge, 'node'> & { node: ResolversParentTypes['Currency'] };
  Date: Scalars['Date']['output'];
  DateTime: Scalars['DateTime']['output'];
  Decimal: Scalars['Decimal']['output'];
  Entity: ResolversInterfaceTypes<ResolversParentTypes>['Entity'];
  EntityCard: components['schemas']['EntityCard'];
  EntityCardConnection: Connection<components['schemas']['EntityCard']>;
  EntityCardEdge: Omit<EntityCardEdge, 'node'> & { node: ResolversParentTypes['EntityCard'] };
  Farmer: components['schemas']['Farmer'];
  FarmerCandidate: Omit<FarmerCandidate, 'farmer'> & { farmer?: Maybe<ResolversParentTypes['Farmer']> };
  FarmerCandidateInput: FarmerCandidateInput;
  FarmerCandidates: Omit<FarmerCandidates, 'candidates'> & { candidates: Array<ResolversParentTypes['FarmerCandidate']> };
  FarmerConnection: Connection<components['schemas']['Farmer']>;
  FarmerEdge: Omit<FarmerEdge, 'node'> & { node: ResolversParentTypes['Farmer'] };
  FieldVisibility: components['schemas']['FieldVisibility'];
  Float: Scalars['Float']['output'];
  Form: components['schemas']['Form'];
  FormConnection: Connection<components['schemas']['Form']>;
  FormEdge: Omit<FormEdge, 'node'> & { node: ResolversParentTypes['Form'] };
  FormField: components['schemas']['FormField'];
  FormFieldConfig: components['schemas']['FormFieldConfig'];
  FormFieldConfigInput: FormFieldConfigInput;
  FormFieldInput: FormFieldInput;
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  JSON: Scalars['JSON']['output'];
  Mutation: Record<PropertyKey, never>;
  PageInfo: PageInfo;
  PaymentTransaction: components['schemas']['PaymentTransaction'];
  PaymentTransactionConnection: Connection<components['schemas']['PaymentTransaction']>;
  PaymentTransactionEdge: Omit<PaymentTransactionEdge, 'node'> & { node: ResolversParentTypes['PaymentTransaction'] };
  PaymentTransactionInput: PaymentTransactionInput;
  PaymentTransactionRows: FoundRows<components['schemas']['PaymentTransaction']>;
  PaymentTransactionTotal: Omit<PaymentTransactionTotal, 'currency' | 'destination' | 'premium' | 'source'> & { currency?: Maybe<ResolversParentTypes['Currency']>, destination?: Maybe<ResolversParentTypes['Entity']>, premium?: Maybe<ResolversParentTypes['Premium']>, source?: Maybe<ResolversParentTypes['Entity']> };
  PaymentTransactionTotals: Omit<PaymentTransactionTotals, 'groups'> & { groups: Array<ResolversParentTypes['PaymentTransactionTotal']> };
  Premium: components['schemas']['Premium'];
  PremiumConnection: Connection<components['schemas']['Premium']>;
  PremiumEdge: Omit<PremiumEdge, 'node'> & { node: ResolversParentTypes['Premium'] };
  PremiumOption: components['schemas']['PremiumOption'];
  PremiumOptionInput: PremiumOptionInput;
  Product: components['schemas']['Product'];
  ProductConnection: Connection<components['schemas']['Product']>;
  ProductEdge: Omit<ProductEdge, 'node'> & { node: ResolversParentTypes['Product'] };
  ProductTransaction: components['schemas']['ProductTransaction'];
  ProductTransactionConnection: Connection<components['schemas']['ProductTransaction']>;
  ProductTransactionEdge: Omit<ProductTransactionEdge, 'node'> & { node: ResolversParentTypes['ProductTransaction'] };
  ProductTransactionPremiumTotal: Omit<ProductTransactionPremiumTotal, 'currency' | 'premium'> & { currency?: Maybe<ResolversParentTypes['Currency']>, premium?: Maybe<ResolversParentTypes['Premium']> };
  ProductTransactionRows: FoundRows<components['schemas']['ProductTransaction']>;
  ProductTransactionTotal: Omit<ProductTransactionTotal, 'currency' | 'destination' | 'premiums' | 'product' | 'source'> & { currency?: Maybe<ResolversParentTypes['Currency']>, destination?: Maybe<ResolversParentTypes['Entity']>, premiums: Array<ResolversParentTypes['ProductTransactionPremiumTotal']>, product?: Maybe<ResolversParentTypes['Product']>, source?: Maybe<ResolversParentTypes['Entity']> };
  ProductTransactionTotals: Omit<ProductTransactionTotals, 'groups'> & { groups: Array<ResolversParentTypes['ProductTransactionTotal']> };
  Query: Record<PropertyKey, never>;
  String: Scalars['String']['output'];
  Submission: components['schemas']['Submission'];
  SubmissionInput: SubmissionInput;
  SubmissionValue: components['schemas']['SubmissionValue'];
  SubmissionValueInput: SubmissionValueInput;
  Trace: Omit<Trace, 'destinations' | 'lots' | 'sources'> & { destinations: Array<ResolversParentTypes['TracedParty']>, lots: Array<ResolversParentTypes['TracedLot']>, sources: Array<ResolversParentTypes['TracedParty']> };
  TracedLot: Omit<TracedLot, 'transaction'> & { transaction?: Maybe<ResolversParentTypes['ProductTransaction']> };
  TracedParty: Omit<TracedParty, 'entity'> & { entity?: Maybe<ResolversParentTypes['Entity']> };
  UnknownEntity: { id: string };
  UpdateCompanyInput: UpdateCompanyInput;
  UpdateCompanyWrite: UpdateCompanyWrite;
  UpdateUserInput: UpdateUserInput;
  UpdateUserWrite: UpdateUserWrite;
  Upload: Scalars['Upload']['output'];
  User: components['schemas']['User'];
  UserInput: UserInput;
  Write: Write;
  WriteError: WriteError;
  WriteFieldError: WriteFieldError;
  WriteInput: WriteInput;
  WriteResult: Omit<WriteResult, 'object'> & { object?: Maybe<ResolversParentTypes['WrittenObject']> };
  WrittenObject: ResolversUnionTypes<ResolversParentTypes>['WrittenObject'];
};

export type DeferDirectiveArgs = {
  if?: Scalars['Boolean']['input'];
  label?: Maybe<Scalars['String']['input']>;
};

export type DeferDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = DeferDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type LengthDirectiveArgs = {
  max?: Maybe<Scalars['Int']['input']>;
  min?: Maybe<Scalars['Int']['input']>;
};

export type LengthDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = LengthDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type SemanticNonNullDirectiveArgs = {
  levels?: Array<Scalars['Int']['input']>;
};

export type SemanticNonNullDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = SemanticNonNullDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type CardResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Card'] = ResolversParentTypes['Card']> = {
  card_id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  display_id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  holder?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type CardConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CardConnection'] = ResolversParentTypes['CardConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['CardEdge']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Card']>, ParentType, ContextType>;
};

export type CardEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CardEdge'] = ResolversParentTypes['CardEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Card'], ParentType, ContextType>;
};

export type CardHolderResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CardHolder'] = ResolversParentTypes['CardHolder']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  holder?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  holder_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CompanyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Company'] = ResolversParentTypes['Company']> = {
  allow_multiple_login?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  balance?: Resolver<Maybe<ResolversTypes['CompanyBalance']>, ParentType, ContextType, Partial<CompanyBalanceArgs>>;
  buy_enabled?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  buyer?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  buyer_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  city?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  country?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  entity_card?: Resolver<Maybe<ResolversTypes['EntityCard']>, ParentType, ContextType>;
  entity_card_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  field_visibilties?: Resolver<Maybe<Array<ResolversTypes['FieldVisibility']>>, ParentType, ContextType>;
  forms?: Resolver<Maybe<Array<ResolversTypes['Form']>>, ParentType, ContextType>;
  house_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  latitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  longitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  member_ids?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  members?: Resolver<Maybe<Array<Maybe<ResolversTypes['User']>>>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  owned_premium_details?: Resolver<Maybe<Array<Maybe<ResolversTypes['Premium']>>>, ParentType, ContextType>;
  owned_premiums?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  paymentTransactions?: Resolver<Maybe<ResolversTypes['PaymentTransactionRows']>, ParentType, ContextType, Partial<CompanyPaymentTransactionsArgs>>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  productTransactions?: Resolver<Maybe<ResolversTypes['ProductTransactionRows']>, ParentType, ContextType, Partial<CompanyProductTransactionsArgs>>;
  product_ids?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  products?: Resolver<Maybe<Array<Maybe<ResolversTypes['Product']>>>, ParentType, ContextType>;
  province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  quality_correction?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  sell_enabled?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  street?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sub_province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  zipcode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CompanyBalanceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CompanyBalance'] = ResolversParentTypes['CompanyBalance']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  products?: Resolver<Array<ResolversTypes['CompanyProductBalance']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CompanyMemberResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CompanyMember'] = ResolversParentTypes['CompanyMember']> = {
  company?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  company_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  is_active?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CompanyProductBalanceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CompanyProductBalance'] = ResolversParentTypes['CompanyProductBalance']> = {
  in?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  left?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  out?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType>;
  product_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  stock?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type CurrencyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Currency'] = ResolversParentTypes['Currency']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CurrencyConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CurrencyConnection'] = ResolversParentTypes['CurrencyConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['CurrencyEdge']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Currency']>, ParentType, ContextType>;
};

export type CurrencyEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CurrencyEdge'] = ResolversParentTypes['CurrencyEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
};

export interface DateScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Date'], any> {
  name: 'Date';
}

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface DecimalScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Decimal'], any> {
  name: 'Decimal';
}

export type EntityResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Entity'] = ResolversParentTypes['Entity']> = {
  __resolveType: TypeResolveFn<'Company' | 'Farmer' | 'UnknownEntity', ParentType, ContextType>;
};

export type EntityCardResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EntityCard'] = ResolversParentTypes['EntityCard']> = {
  card?: Resolver<Maybe<ResolversTypes['Card']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  entity?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  entity_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  is_active?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type EntityCardConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EntityCardConnection'] = ResolversParentTypes['EntityCardConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['EntityCardEdge']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['EntityCard']>, ParentType, ContextType>;
};

export type EntityCardEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EntityCardEdge'] = ResolversParentTypes['EntityCardEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['EntityCard'], ParentType, ContextType>;
};

export type FarmerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Farmer'] = ResolversParentTypes['Farmer']> = {
  buyer?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  buyer_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  city?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  consent_status?: Resolver<Maybe<ResolversTypes['ConsentStatus']>, ParentType, ContextType>;
  consent_status_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  country?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  date_of_birth?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  entity_card?: Resolver<Maybe<ResolversTypes['EntityCard']>, ParentType, ContextType>;
  first_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  gender?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  house_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  identification_no?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  last_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  latitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  longitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  paymentTransactions?: Resolver<Maybe<ResolversTypes['PaymentTransactionRows']>, ParentType, ContextType, Partial<FarmerPaymentTransactionsArgs>>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  plots?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  productTransactions?: Resolver<Maybe<ResolversTypes['ProductTransactionRows']>, ParentType, ContextType, Partial<FarmerProductTransactionsArgs>>;
  province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reference_number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  street?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sub_province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  submission?: Resolver<Maybe<ResolversTypes['Submission']>, ParentType, ContextType>;
  totals?: Resolver<Maybe<ResolversTypes['ProductTransactionTotals']>, ParentType, ContextType, Partial<FarmerTotalsArgs>>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  zipcode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type FarmerCandidateResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FarmerCandidate'] = ResolversParentTypes['FarmerCandidate']> = {
  agree?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  farmer?: Resolver<Maybe<ResolversTypes['Farmer']>, ParentType, ContextType>;
};

export type FarmerCandidatesResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FarmerCandidates'] = ResolversParentTypes['FarmerCandidates']> = {
  candidates?: Resolver<Array<ResolversTypes['FarmerCandidate']>, ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type FarmerConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FarmerConnection'] = ResolversParentTypes['FarmerConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['FarmerEdge']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Farmer']>, ParentType, ContextType>;
};

export type FarmerEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FarmerEdge'] = ResolversParentTypes['FarmerEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Farmer'], ParentType, ContextType>;
};

export type FieldVisibilityResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FieldVisibility'] = ResolversParentTypes['FieldVisibility']> = {
  company?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  company_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  visibility?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export type FormResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Form'] = ResolversParentTypes['Form']> = {
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  field_config?: Resolver<Maybe<Array<ResolversTypes['FormFieldConfig']>>, ParentType, ContextType>;
  fields?: Resolver<Maybe<Array<ResolversTypes['FormField']>>, ParentType, ContextType>;
  form_type?: Resolver<Maybe<ResolversTypes['FormType']>, ParentType, ContextType>;
  form_type_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  owner?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  owner_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  products?: Resolver<Maybe<Array<ResolversTypes['Product']>>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type FormConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FormConnection'] = ResolversParentTypes['FormConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['FormEdge']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Form']>, ParentType, ContextType>;
};

export type FormEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FormEdge'] = ResolversParentTypes['FormEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Form'], ParentType, ContextType>;
};

export type FormFieldResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FormField'] = ResolversParentTypes['FormField']> = {
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  default_value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  key?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label_en_uk?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label_en_us?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label_fr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label_ind?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label_nl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  localized_label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, Partial<FormFieldLocalized_LabelArgs>>;
  options?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  required?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type FormFieldConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FormFieldConfig'] = ResolversParentTypes['FormFieldConfig']> = {
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  key?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  required?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  visibility?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createCompany?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType, RequireFields<MutationCreateCompanyArgs, 'input'>>;
  createCompanyMember?: Resolver<Maybe<ResolversTypes['CompanyMember']>, ParentType, ContextType, RequireFields<MutationCreateCompanyMemberArgs, 'input'>>;
  createEntityCard?: Resolver<Maybe<ResolversTypes['EntityCard']>, ParentType, ContextType, RequireFields<MutationCreateEntityCardArgs, 'input'>>;
  createFarmer?: Resolver<Maybe<ResolversTypes['Farmer']>, ParentType, ContextType, RequireFields<MutationCreateFarmerArgs, 'input'>>;
  createForm?: Resolver<Maybe<ResolversTypes['Form']>, ParentType, ContextType, RequireFields<MutationCreateFormArgs, 'input'>>;
  createPaymentTransaction?: Resolver<Maybe<ResolversTypes['PaymentTransaction']>, ParentType, ContextType, RequireFields<MutationCreatePaymentTransactionArgs, 'input'>>;
  createPremium?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType, RequireFields<MutationCreatePremiumArgs, 'input'>>;
  createProductTransaction?: Resolver<Maybe<ResolversTypes['ProductTransaction']>, ParentType, ContextType, RequireFields<MutationCreateProductTransactionArgs, 'input'>>;
  push?: Resolver<Array<ResolversTypes['WriteResult']>, ParentType, ContextType, RequireFields<MutationPushArgs, 'writes'>>;
  updateCompany?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType, RequireFields<MutationUpdateCompanyArgs, 'id' | 'input'>>;
  updateUser?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<MutationUpdateUserArgs, 'id' | 'input'>>;
  uploadInvoice?: Resolver<Maybe<ResolversTypes['PaymentTransaction']>, ParentType, ContextType, RequireFields<MutationUploadInvoiceArgs, 'invoice' | 'payment_transaction'>>;
};

export type PageInfoResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PaymentTransactionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransaction'] = ResolversParentTypes['PaymentTransaction']> = {
  amount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  card?: Resolver<Maybe<ResolversTypes['Card']>, ParentType, ContextType>;
  card_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_details?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  date?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  destination?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  destination_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  invoice?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  invoice_number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  method?: Resolver<Maybe<ResolversTypes['VerificationMethod']>, ParentType, ContextType>;
  method_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  payment_type?: Resolver<Maybe<ResolversTypes['PaymentType']>, ParentType, ContextType>;
  payment_type_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  premium?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType>;
  premium_details?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType>;
  premium_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  selected_option?: Resolver<Maybe<ResolversTypes['PremiumOption']>, ParentType, ContextType>;
  selected_option_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  source_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  submission_details?: Resolver<Maybe<Array<Maybe<ResolversTypes['Submission']>>>, ParentType, ContextType>;
  submissions?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  transaction?: Resolver<Maybe<ResolversTypes['ProductTransaction']>, ParentType, ContextType>;
  transaction_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  verification_latitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  verification_longitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PaymentTransactionConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransactionConnection'] = ResolversParentTypes['PaymentTransactionConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['PaymentTransactionEdge']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['PaymentTransaction']>, ParentType, ContextType>;
};

export type PaymentTransactionEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransactionEdge'] = ResolversParentTypes['PaymentTransactionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['PaymentTransaction'], ParentType, ContextType>;
};

export type PaymentTransactionRowsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransactionRows'] = ResolversParentTypes['PaymentTransactionRows']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['PaymentTransaction']>, ParentType, ContextType>;
};

export type PaymentTransactionTotalResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransactionTotal'] = ResolversParentTypes['PaymentTransactionTotal']> = {
  amount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  destination?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  destination_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  month?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  payment_type?: Resolver<Maybe<ResolversTypes['PaymentType']>, ParentType, ContextType>;
  payment_type_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  premium?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType>;
  premium_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  source_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type PaymentTransactionTotalsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentTransactionTotals'] = ResolversParentTypes['PaymentTransactionTotals']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  groups?: Resolver<Array<ResolversTypes['PaymentTransactionTotal']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type PremiumResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Premium'] = ResolversParentTypes['Premium']> = {
  amount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  applicable_activity?: Resolver<Maybe<ResolversTypes['PremiumActivity']>, ParentType, ContextType>;
  applicable_activity_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  calculation_type?: Resolver<Maybe<ResolversTypes['PremiumCalculationType']>, ParentType, ContextType>;
  calculation_type_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  category?: Resolver<Maybe<ResolversTypes['PremiumCategory']>, ParentType, ContextType>;
  category_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  dependant_on_card?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  included?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  is_active?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  options?: Resolver<Maybe<Array<ResolversTypes['PremiumOption']>>, ParentType, ContextType>;
  owner?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  owner_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['PremiumType']>, ParentType, ContextType>;
  type_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PremiumConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PremiumConnection'] = ResolversParentTypes['PremiumConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['PremiumEdge']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Premium']>, ParentType, ContextType>;
};

export type PremiumEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PremiumEdge'] = ResolversParentTypes['PremiumEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Premium'], ParentType, ContextType>;
};

export type PremiumOptionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PremiumOption'] = ResolversParentTypes['PremiumOption']> = {
  amount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  is_active?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type ProductResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Product'] = ResolversParentTypes['Product']> = {
  active?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  is_active?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  premium_details?: Resolver<Maybe<Array<Maybe<ResolversTypes['Premium']>>>, ParentType, ContextType>;
  premium_ids?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  premiums?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  productTransactions?: Resolver<Maybe<ResolversTypes['ProductTransactionRows']>, ParentType, ContextType, Partial<ProductProductTransactionsArgs>>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type ProductConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductConnection'] = ResolversParentTypes['ProductConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['ProductEdge']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Product']>, ParentType, ContextType>;
};

export type ProductEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductEdge'] = ResolversParentTypes['ProductEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Product'], ParentType, ContextType>;
};

export type ProductTransactionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransaction'] = ResolversParentTypes['ProductTransaction']> = {
  amount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  card?: Resolver<Maybe<ResolversTypes['Card']>, ParentType, ContextType>;
  card_details?: Resolver<Maybe<ResolversTypes['Card']>, ParentType, ContextType>;
  card_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  children?: Resolver<Maybe<ResolversTypes['ProductTransactionRows']>, ParentType, ContextType, Partial<ProductTransactionChildrenArgs>>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_details?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  current_quantity?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  date?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  destination?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  destination_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  invoice?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  invoice_number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  is_deleted?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  method?: Resolver<Maybe<ResolversTypes['VerificationMethod']>, ParentType, ContextType>;
  method_raw?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  origin?: Resolver<Maybe<ResolversTypes['Trace']>, ParentType, ContextType, RequireFields<ProductTransactionOriginArgs, 'depth'>>;
  parent_ids?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  parents?: Resolver<Maybe<Array<Maybe<ResolversTypes['ProductTransaction']>>>, ParentType, ContextType>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType>;
  product_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  quality_correction?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  quantity?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  source_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  source_quantity?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  submissions?: Resolver<Maybe<Array<ResolversTypes['Submission']>>, ParentType, ContextType>;
  transaction_payments?: Resolver<Maybe<Array<ResolversTypes['PaymentTransaction']>>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  use?: Resolver<Maybe<ResolversTypes['Trace']>, ParentType, ContextType, RequireFields<ProductTransactionUseArgs, 'depth'>>;
  verification_latitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  verification_longitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ProductTransactionConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionConnection'] = ResolversParentTypes['ProductTransactionConnection']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['ProductTransactionEdge']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['ProductTransaction']>, ParentType, ContextType>;
};

export type ProductTransactionEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionEdge'] = ResolversParentTypes['ProductTransactionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ProductTransaction'], ParentType, ContextType>;
};

export type ProductTransactionPremiumTotalResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionPremiumTotal'] = ResolversParentTypes['ProductTransactionPremiumTotal']> = {
  amount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  premium?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType>;
  premium_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type ProductTransactionRowsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionRows'] = ResolversParentTypes['ProductTransactionRows']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['ProductTransaction']>, ParentType, ContextType>;
};

export type ProductTransactionTotalResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionTotal'] = ResolversParentTypes['ProductTransactionTotal']> = {
  amount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  currency_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  destination?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  destination_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  month?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  premiums?: Resolver<Array<ResolversTypes['ProductTransactionPremiumTotal']>, ParentType, ContextType>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType>;
  product_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  quantity?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  source_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type ProductTransactionTotalsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProductTransactionTotals'] = ResolversParentTypes['ProductTransactionTotals']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  groups?: Resolver<Array<ResolversTypes['ProductTransactionTotal']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  activeCompany?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  cardHolder?: Resolver<Maybe<ResolversTypes['CardHolder']>, ParentType, ContextType, RequireFields<QueryCardHolderArgs, 'card_id'>>;
  cards?: Resolver<Maybe<ResolversTypes['CardConnection']>, ParentType, ContextType, Partial<QueryCardsArgs>>;
  company?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType, RequireFields<QueryCompanyArgs, 'id'>>;
  currencies?: Resolver<Maybe<ResolversTypes['CurrencyConnection']>, ParentType, ContextType, Partial<QueryCurrenciesArgs>>;
  entity?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType, RequireFields<QueryEntityArgs, 'id'>>;
  entityCards?: Resolver<Maybe<ResolversTypes['EntityCardConnection']>, ParentType, ContextType, Partial<QueryEntityCardsArgs>>;
  farmer?: Resolver<Maybe<ResolversTypes['Farmer']>, ParentType, ContextType, RequireFields<QueryFarmerArgs, 'id'>>;
  farmerCandidates?: Resolver<Maybe<ResolversTypes['FarmerCandidates']>, ParentType, ContextType, RequireFields<QueryFarmerCandidatesArgs, 'input'>>;
  farmers?: Resolver<Maybe<ResolversTypes['FarmerConnection']>, ParentType, ContextType, Partial<QueryFarmersArgs>>;
  form?: Resolver<Maybe<ResolversTypes['Form']>, ParentType, ContextType, RequireFields<QueryFormArgs, 'id'>>;
  forms?: Resolver<Maybe<ResolversTypes['FormConnection']>, ParentType, ContextType, Partial<QueryFormsArgs>>;
  me?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  paymentTransaction?: Resolver<Maybe<ResolversTypes['PaymentTransaction']>, ParentType, ContextType, RequireFields<QueryPaymentTransactionArgs, 'id'>>;
  paymentTransactionTotals?: Resolver<Maybe<ResolversTypes['PaymentTransactionTotals']>, ParentType, ContextType, Partial<QueryPaymentTransactionTotalsArgs>>;
  paymentTransactions?: Resolver<Maybe<ResolversTypes['PaymentTransactionConnection']>, ParentType, ContextType, Partial<QueryPaymentTransactionsArgs>>;
  premium?: Resolver<Maybe<ResolversTypes['Premium']>, ParentType, ContextType, RequireFields<QueryPremiumArgs, 'id'>>;
  premiums?: Resolver<Maybe<ResolversTypes['PremiumConnection']>, ParentType, ContextType, Partial<QueryPremiumsArgs>>;
  productTransaction?: Resolver<Maybe<ResolversTypes['ProductTransaction']>, ParentType, ContextType, RequireFields<QueryProductTransactionArgs, 'id'>>;
  productTransactionTotals?: Resolver<Maybe<ResolversTypes['ProductTransactionTotals']>, ParentType, ContextType, Partial<QueryProductTransactionTotalsArgs>>;
  productTransactions?: Resolver<Maybe<ResolversTypes['ProductTransactionConnection']>, ParentType, ContextType, Partial<QueryProductTransactionsArgs>>;
  products?: Resolver<Maybe<ResolversTypes['ProductConnection']>, ParentType, ContextType, Partial<QueryProductsArgs>>;
  serverTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<QueryUserArgs, 'id'>>;
};

export type SubmissionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Submission'] = ResolversParentTypes['Submission']> = {
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  form?: Resolver<Maybe<ResolversTypes['Form']>, ParentType, ContextType>;
  form_details?: Resolver<Maybe<ResolversTypes['Form']>, ParentType, ContextType>;
  form_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType>;
  product_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  values?: Resolver<Maybe<Array<ResolversTypes['SubmissionValue']>>, ParentType, ContextType>;
};

export type SubmissionValueResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SubmissionValue'] = ResolversParentTypes['SubmissionValue']> = {
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['FormField']>, ParentType, ContextType>;
  field_details?: Resolver<Maybe<ResolversTypes['FormField']>, ParentType, ContextType>;
  field_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type TraceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Trace'] = ResolversParentTypes['Trace']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  destinations?: Resolver<Array<ResolversTypes['TracedParty']>, ParentType, ContextType>;
  looked_back_to?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lots?: Resolver<Array<ResolversTypes['TracedLot']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sources?: Resolver<Array<ResolversTypes['TracedParty']>, ParentType, ContextType>;
};

export type TracedLotResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TracedLot'] = ResolversParentTypes['TracedLot']> = {
  children?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  depth?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  parents?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  transaction?: Resolver<Maybe<ResolversTypes['ProductTransaction']>, ParentType, ContextType>;
  transaction_id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type TracedPartyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TracedParty'] = ResolversParentTypes['TracedParty']> = {
  entity?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  entity_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  lots?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  quantity?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type UnknownEntityResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UnknownEntity'] = ResolversParentTypes['UnknownEntity']> = {
  buyer?: Resolver<Maybe<ResolversTypes['Company']>, ParentType, ContextType>;
  buyer_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  city?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  country?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  created_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  creator_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  entity_card?: Resolver<Maybe<ResolversTypes['EntityCard']>, ParentType, ContextType>;
  house_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  latitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  longitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  street?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sub_province?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updated_on?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updater?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  updater_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  zipcode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export interface UploadScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Upload'], any> {
  name: 'Upload';
}

export type UserResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  accepted_policy?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  address?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  current_policy?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  current_policy_accepted?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  default_entity?: Resolver<Maybe<ResolversTypes['Entity']>, ParentType, ContextType>;
  default_entity_id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  dob?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  first_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  language?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  last_name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  managing_entity_ids?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  managing_entitys?: Resolver<Maybe<Array<Maybe<ResolversTypes['Entity']>>>, ParentType, ContextType>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  policy_accepted?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updated_email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type WriteErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WriteError'] = ResolversParentTypes['WriteError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  fields?: Resolver<Maybe<Array<ResolversTypes['WriteFieldError']>>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retry_after?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  upstream_status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type WriteFieldErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WriteFieldError'] = ResolversParentTypes['WriteFieldError']> = {
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WriteResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WriteResult'] = ResolversParentTypes['WriteResult']> = {
  error?: Resolver<Maybe<ResolversTypes['WriteError']>, ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  object?: Resolver<Maybe<ResolversTypes['WrittenObject']>, ParentType, ContextType>;
  ref?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WriteStatus'], ParentType, ContextType>;
};

export type WrittenObjectResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WrittenObject'] = ResolversParentTypes['WrittenObject']> = {
  __resolveType: TypeResolveFn<'Company' | 'CompanyMember' | 'EntityCard' | 'Farmer' | 'Form' | 'PaymentTransaction' | 'Premium' | 'ProductTransaction' | 'User', ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestContext> = {
  Card?: CardResolvers<ContextType>;
  CardConnection?: CardConnectionResolvers<ContextType>;
  CardEdge?: CardEdgeResolvers<ContextType>;
  CardHolder?: CardHolderResolvers<ContextType>;
  Company?: CompanyResolvers<ContextType>;
  CompanyBalance?: CompanyBalanceResolvers<ContextType>;
  CompanyMember?: CompanyMemberResolvers<ContextType>;
  CompanyProductBalance?: CompanyProductBalanceResolvers<ContextType>;
  Currency?: CurrencyResolvers<ContextType>;
  CurrencyConnection?: CurrencyConnectionResolvers<ContextType>;
  CurrencyEdge?: CurrencyEdgeResolvers<ContextType>;
  Date?: GraphQLScalarType;
  DateTime?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  Entity?: EntityResolvers<ContextType>;
  EntityCard?: EntityCardResolvers<ContextType>;
  EntityCardConnection?: EntityCardConnectionResolvers<ContextType>;
  EntityCardEdge?: EntityCardEdgeResolvers<ContextType>;
  Farmer?: FarmerResolvers<ContextType>;
  FarmerCandidate?: FarmerCandidateResolvers<ContextType>;
  FarmerCandidates?: FarmerCandidatesResolvers<ContextType>;
  FarmerConnection?: FarmerConnectionResolvers<ContextType>;
  FarmerEdge?: FarmerEdgeResolvers<ContextType>;
  FieldVisibility?: FieldVisibilityResolvers<ContextType>;
  Form?: FormResolvers<ContextType>;
  FormConnection?: FormConnectionResolvers<ContextType>;
  FormEdge?: FormEdgeResolvers<ContextType>;
  FormField?: FormFieldResolvers<ContextType>;
  FormFieldConfig?: FormFieldConfigResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  Mutation?: MutationResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  PaymentTransaction?: PaymentTransactionResolvers<ContextType>;
  PaymentTransactionConnection?: PaymentTransactionConnectionResolvers<ContextType>;
  PaymentTransactionEdge?: PaymentTransactionEdgeResolvers<ContextType>;
  PaymentTransactionRows?: PaymentTransactionRowsResolvers<ContextType>;
  PaymentTransactionTotal?: PaymentTransactionTotalResolvers<ContextType>;
  PaymentTransactionTotals?: PaymentTransactionTotalsResolvers<ContextType>;
  Premium?: PremiumResolvers<ContextType>;
  PremiumConnection?: PremiumConnectionResolvers<ContextType>;
  PremiumEdge?: PremiumEdgeResolvers<ContextType>;
  PremiumOption?: PremiumOptionResolvers<ContextType>;
  Product?: ProductResolvers<ContextType>;
  ProductConnection?: ProductConnectionResolvers<ContextType>;
  ProductEdge?: ProductEdgeResolvers<ContextType>;
  ProductTransaction?: ProductTransactionResolvers<ContextType>;
  ProductTransactionConnection?: ProductTransactionConnectionResolvers<ContextType>;
  ProductTransactionEdge?: ProductTransactionEdgeResolvers<ContextType>;
  ProductTransactionPremiumTotal?: ProductTransactionPremiumTotalResolvers<ContextType>;
  ProductTransactionRows?: ProductTransactionRowsResolvers<ContextType>;
  ProductTransactionTotal?: ProductTransactionTotalResolvers<ContextType>;
  ProductTransactionTotals?: ProductTransactionTotalsResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Submission?: SubmissionResolvers<ContextType>;
  SubmissionValue?: SubmissionValueResolvers<ContextType>;
  Trace?: TraceResolvers<ContextType>;
  TracedLot?: TracedLotResolvers<ContextType>;
  TracedParty?: TracedPartyResolvers<ContextType>;
  UnknownEntity?: UnknownEntityResolvers<ContextType>;
  Upload?: GraphQLScalarType;
  User?: UserResolvers<ContextType>;
  WriteError?: WriteErrorResolvers<ContextType>;
  WriteFieldError?: WriteFieldErrorResolvers<ContextType>;
  WriteResult?: WriteResultResolvers<ContextType>;
  WrittenObject?: WrittenObjectResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = RequestContext> = {
  defer?: DeferDirectiveResolver<any, any, ContextType>;
  length?: LengthDirectiveResolver<any, any, ContextType>;
  semanticNonNull?: SemanticNonNullDirectiveResolver<any, any, ContextType>;
};
