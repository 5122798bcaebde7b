// Written by `npm run codegen` from schema/rest-service.openapi.yaml; not to be edited. `ContractData` describes each table.

export const endpoints = {
  "listFarmers": {
    "rootField": "farmers",
    "does": "list",
    "method": "GET",
    "path": "/supply-chains/farmers/",
    "kind": "Farmer",
    "filters": {
      "first_name": "first_name",
      "last_name": "last_name",
      "number": "number",
      "updated_after": "updated_after",
      "created_after": "created_after",
      "reference_number": "reference_number",
      "entity": "entity"
    },
    "response": "FarmerPage",
    "time": "created_on",
    "cost": {
      "callMs": 30,
      "rowMs": 6
    },
    "filterChecks": {
      "first_name": {
        "compares": "texts",
        "shownBy": [
          "first_name"
        ],
        "otherName": "first_name__icontains"
      },
      "last_name": {
        "compares": "texts",
        "shownBy": [
          "last_name"
        ],
        "otherName": "last_name__icontains"
      },
      "number": {
        "compares": "texts",
        "shownBy": [
          "number"
        ],
        "otherName": "number__icontains"
      },
      "updated_after": {
        "compares": "after",
        "shownBy": [
          "updated_on"
        ]
      },
      "created_after": {
        "compares": "after",
        "shownBy": [
          "created_on"
        ]
      },
      "reference_number": {
        "dialect": "connect",
        "compares": "texts",
        "shownBy": [
          "reference_number"
        ]
      },
      "entity": {
        "dialect": "connect",
        "compares": "ids",
        "shownBy": []
      }
    }
  },
  "createFarmer": {
    "rootField": "createFarmer",
    "does": "write",
    "method": "POST",
    "path": "/supply-chains/farmers/",
    "kind": "Farmer",
    "response": "Farmer"
  },
  "getFarmer": {
    "rootField": "farmer",
    "does": "get",
    "method": "GET",
    "path": "/supply-chains/farmers/{hashid}/",
    "kind": "Farmer",
    "idPattern": "^[\\w-]{1,64}$",
    "response": "Farmer",
    "cost": {
      "callMs": 30
    }
  },
  "createCompany": {
    "rootField": "createCompany",
    "does": "write",
    "method": "POST",
    "path": "/supply-chains/companies/",
    "creates": true,
    "kind": "Company",
    "response": "Company",
    "invalidates": [
      "listEntityCards"
    ]
  },
  "getCompany": {
    "rootField": "company",
    "does": "get",
    "method": "GET",
    "path": "/supply-chains/companies/{hashid}/",
    "kind": "Company",
    "idPattern": "^[\\w-]{1,64}$",
    "response": "CompanyDetail",
    "cost": {
      "callMs": 100
    }
  },
  "updateCompany": {
    "rootField": "updateCompany",
    "does": "write",
    "method": "PATCH",
    "path": "/supply-chains/companies/{hashid}/",
    "kind": "Company",
    "idPattern": "^[\\w-]{1,64}$",
    "response": "Company",
    "invalidates": [
      "listEntityCards"
    ],
    "ifUnchanged": {
      "argument": "if_updated_on",
      "property": "updated_on"
    }
  },
  "createCompanyMember": {
    "rootField": "createCompanyMember",
    "does": "write",
    "method": "POST",
    "path": "/supply-chains/company-members/",
    "kind": "CompanyMember",
    "response": "CompanyMember",
    "invalidates": [
      "listEntityCards",
      "listProducts"
    ],
    "otherForms": {
      "user_id": "user"
    }
  },
  "getUser": {
    "rootField": "user",
    "does": "get",
    "method": "GET",
    "path": "/accounts/users/{hashid}/",
    "kind": "User",
    "idPattern": "^[\\w-]{1,64}$",
    "response": "User",
    "cost": {
      "callMs": 25
    }
  },
  "updateUser": {
    "rootField": "updateUser",
    "does": "write",
    "method": "PATCH",
    "path": "/accounts/users/{hashid}/",
    "kind": "User",
    "idPattern": "^[\\w-]{1,64}$",
    "response": "User",
    "invalidates": [
      "listEntityCards",
      "listProducts"
    ],
    "ifUnchanged": {
      "argument": "if_unchanged"
    }
  },
  "listEntityCards": {
    "rootField": "entityCards",
    "does": "list",
    "method": "GET",
    "path": "/supply-chains/entity-cards/",
    "kind": "EntityCard",
    "filters": {
      "card_id": "card_id",
      "updated_after": "updated_after",
      "created_after": "created_after"
    },
    "response": "EntityCardPage",
    "time": "created_on",
    "isNewestFirst": true,
    "cost": {
      "callMs": 25,
      "rowMs": 1
    },
    "isCached": true,
    "filterChecks": {
      "card_id": {
        "dialect": "connect",
        "compares": "texts",
        "shownBy": [
          "card.card_id"
        ]
      },
      "updated_after": {
        "dialect": "connect",
        "compares": "after",
        "shownBy": [
          "updated_on"
        ],
        "reorders": "updated_on"
      },
      "created_after": {
        "dialect": "connect",
        "compares": "after",
        "shownBy": [
          "created_on"
        ],
        "checkedBy": "updated_after",
        "reorders": "updated_on"
      }
    }
  },
  "createEntityCard": {
    "rootField": "createEntityCard",
    "does": "write",
    "method": "POST",
    "path": "/supply-chains/entity-cards/",
    "kind": "EntityCard",
    "response": "EntityCard",
    "invalidates": [
      "listCards",
      "listEntityCards"
    ]
  },
  "listProducts": {
    "rootField": "products",
    "does": "list",
    "method": "GET",
    "path": "/catalogs/products/",
    "kind": "Product",
    "filters": {
      "name": "name",
      "description": "description",
      "updated_after": "updated_after"
    },
    "response": "ProductPage",
    "time": "created_on",
    "isNewestFirst": true,
    "cost": {
      "callMs": 20,
      "rowMs": 2
    },
    "isCached": true,
    "filterChecks": {
      "name": {
        "compares": "texts",
        "shownBy": [
          "name"
        ]
      },
      "description": {
        "compares": "texts",
        "shownBy": [
          "description"
        ]
      },
      "updated_after": {
        "compares": "after",
        "shownBy": [
          "updated_on"
        ]
      }
    }
  },
  "listCards": {
    "rootField": "cards",
    "does": "list",
    "method": "GET",
    "path": "/catalogs/connect-cards/",
    "kind": "Card",
    "response": "CardPage",
    "time": "created_on",
    "isNewestFirst": true,
    "cost": {
      "callMs": 25,
      "rowMs": 0.6
    },
    "isCached": true
  },
  "listCurrencies": {
    "rootField": "currencies",
    "does": "list",
    "method": "GET",
    "path": "/catalogs/currencies/",
    "kind": "Currency",
    "filters": {
      "search": "search",
      "code": "code"
    },
    "response": "CurrencyPage",
    "provesKey": true,
    "cost": {
      "callMs": 11,
      "rowMs": 0.1
    },
    "isCached": true,
    "filterChecks": {
      "search": {
        "compares": "words",
        "shownBy": [
          "name",
          "code"
        ]
      },
      "code": {
        "dialect": "connect",
        "compares": "texts",
        "shownBy": [
          "code"
        ]
      }
    }
  },
  "listPremiums": {
    "rootField": "premiums",
    "does": "list",
    "method": "GET",
    "path": "/catalogs/premiums/",
    "dialect": "connect",
    "kind": "Premium",
    "response": "PremiumPage",
    "time": "created_on",
    "isNewestFirst": true,
    "cost": {
      "callMs": 25,
      "rowMs": 5
    }
  },
  "createPremium": {
    "rootField": "createPremium",
    "does": "write",
    "method": "POST",
    "path": "/catalogs/premiums/",
    "creates": true,
    "kind": "Premium",
    "response": "Premium",
    "invalidates": [
      "listProducts"
    ]
  },
  "getPremium": {
    "rootField": "premium",
    "does": "get",
    "method": "GET",
    "path": "/catalogs/premiums/{hashid}/",
    "dialect": "connect",
    "kind": "Premium",
    "idPattern": "^[\\w-]{1,64}$",
    "response": "Premium",
    "cost": {
      "callMs": 30
    }
  },
  "listForms": {
    "rootField": "forms",
    "does": "list",
    "method": "GET",
    "path": "/forms/forms/",
    "dialect": "connect",
    "kind": "Form",
    "response": "FormPage",
    "time": "created_on",
    "isNewestFirst": true,
    "cost": {
      "callMs": 25,
      "rowMs": 5
    }
  },
  "createForm": {
    "rootField": "createForm",
    "does": "write",
    "method": "POST",
    "path": "/forms/forms/",
    "kind": "Form",
    "response": "Form"
  },
  "getForm": {
    "rootField": "form",
    "does": "get",
    "method": "GET",
    "path": "/forms/forms/{hashid}/",
    "dialect": "connect",
    "kind": "Form",
    "idPattern": "^[\\w-]{1,64}$",
    "response": "Form",
    "cost": {
      "callMs": 30
    }
  },
  "listProductTransactions": {
    "rootField": "productTransactions",
    "does": "list",
    "method": "GET",
    "path": "/transactions/product-transactions/",
    "kind": "ProductTransaction",
    "filters": {
      "updated_after": "updated_after",
      "created_after": "created_after",
      "updated_before": "updated_before",
      "quantity_available": "only_quantity_available",
      "entity": "entity",
      "reverse_sync": "reverse_sync"
    },
    "response": "ProductTransactionPage",
    "time": "created_on",
    "isNewestFirst": true,
    "sends": {
      "filter_by": {
        "connect": "all"
      }
    },
    "cost": {
      "callMs": 30,
      "rowMs": 12.5
    },
    "filterChecks": {
      "updated_after": {
        "compares": "after",
        "shownBy": [
          "updated_on"
        ]
      },
      "created_after": {
        "compares": "after",
        "shownBy": [
          "created_on"
        ]
      },
      "updated_before": {
        "compares": "before",
        "shownBy": [
          "updated_on"
        ]
      },
      "quantity_available": {
        "compares": "amounts",
        "shownBy": [
          "current_quantity"
        ]
      },
      "entity": {
        "dialect": "connect",
        "compares": "ids",
        "shownBy": [
          "source",
          "destination"
        ]
      },
      "reverse_sync": {
        "dialect": "connect",
        "compares": "adds",
        "shownBy": [
          "is_deleted"
        ]
      }
    }
  },
  "createProductTransaction": {
    "rootField": "createProductTransaction",
    "does": "write",
    "method": "POST",
    "path": "/transactions/product-transactions/",
    "kind": "ProductTransaction",
    "response": "ProductTransaction"
  },
  "getProductTransaction": {
    "rootField": "productTransaction",
    "does": "get",
    "method": "GET",
    "path": "/transactions/product-transactions/{hashid}/",
    "kind": "ProductTransaction",
    "idPattern": "^[\\w-]{1,64}$",
    "response": "ProductTransaction",
    "sends": {
      "filter_by": {
        "connect": "all"
      }
    },
    "cost": {
      "callMs": 31
    }
  },
  "listPaymentTransactions": {
    "rootField": "paymentTransactions",
    "does": "list",
    "method": "GET",
    "path": "/transactions/payment-transactions/",
    "kind": "PaymentTransaction",
    "filters": {
      "payment_type": "payment_type",
      "updated_after": "updated_after",
      "created_after": "created_after"
    },
    "response": "PaymentTransactionPage",
    "time": "created_on",
    "isNewestFirst": true,
    "cost": {
      "callMs": 27,
      "rowMs": 11
    },
    "filterChecks": {
      "payment_type": {
        "dialect": "connect",
        "compares": "values",
        "values": [
          "TRANSACTION",
          "PREMIUM",
          "TRANSACTION_PREMIUM"
        ],
        "shownBy": [
          "payment_type"
        ]
      },
      "updated_after": {
        "dialect": "connect",
        "compares": "after",
        "shownBy": [
          "updated_on"
        ],
        "checkedBy": "created_after"
      },
      "created_after": {
        "dialect": "connect",
        "compares": "after",
        "shownBy": [
          "created_on"
        ]
      }
    }
  },
  "createPaymentTransaction": {
    "rootField": "createPaymentTransaction",
    "does": "write",
    "method": "POST",
    "path": "/transactions/payment-transactions/",
    "creates": true,
    "kind": "PaymentTransaction",
    "response": "PaymentTransaction",
    "otherForms": {
      "submission_details": "submissions"
    }
  },
  "getPaymentTransaction": {
    "rootField": "paymentTransaction",
    "does": "get",
    "method": "GET",
    "path": "/transactions/payment-transactions/{hashid}/",
    "kind": "PaymentTransaction",
    "idPattern": "^[\\w-]{1,64}$",
    "response": "PaymentTransaction",
    "cost": {
      "callMs": 35
    }
  },
  "uploadInvoice": {
    "rootField": "uploadInvoice",
    "does": "write",
    "method": "PATCH",
    "path": "/transactions/payment-transactions/{hashid}/invoice/",
    "kind": "PaymentTransaction",
    "idPattern": "^[\\w-]{1,64}$",
    "idArgument": "payment_transaction",
    "response": "InvoiceUploaded",
    "file": "invoice",
    "fileTypes": [
      "application/pdf",
      "image/jpeg",
      "image/png",
      "image/webp",
      "image/heic",
      "image/heif"
    ]
  }
} as const;

export const kinds = {
  "Farmer": {
    "get": "getFarmer",
    "list": "listFarmers",
    "id": "^[\\w-]{1,64}$"
  },
  "EntityCard": {
    "list": "listEntityCards",
    "id": "^[\\w-]{1,64}$"
  },
  "Card": {
    "list": "listCards",
    "id": "^[\\w-]{1,64}$"
  },
  "Submission": {
    "id": "^[\\w-]{1,64}$"
  },
  "SubmissionValue": {
    "id": "^[\\w-]{1,64}$"
  },
  "FormField": {
    "id": "^[\\w-]{1,64}$"
  },
  "Form": {
    "get": "getForm",
    "list": "listForms",
    "id": "^[\\w-]{1,64}$"
  },
  "Product": {
    "list": "listProducts",
    "id": "^[\\w-]{1,64}$"
  },
  "FormFieldConfig": {
    "id": "^[\\w-]{1,64}$"
  },
  "Company": {
    "get": "getCompany",
    "id": "^[\\w-]{1,64}$"
  },
  "Currency": {
    "list": "listCurrencies",
    "id": "^[\\w-]{1,64}$"
  },
  "FieldVisibility": {
    "id": "^[\\w-]{1,64}$"
  },
  "CompanyMember": {
    "id": "^[\\w-]{1,64}$"
  },
  "User": {
    "get": "getUser",
    "id": "^[\\w-]{1,64}$"
  },
  "Premium": {
    "get": "getPremium",
    "list": "listPremiums",
    "id": "^[\\w-]{1,64}$"
  },
  "PremiumOption": {
    "id": "^[\\w-]{1,64}$"
  },
  "ProductTransaction": {
    "get": "getProductTransaction",
    "list": "listProductTransactions",
    "id": "^[\\w-]{1,64}$"
  },
  "PaymentTransaction": {
    "get": "getPaymentTransaction",
    "list": "listPaymentTransactions",
    "id": "^[\\w-]{1,64}$"
  }
} as const;

export const unions = {
  "Entity": {
    "name": "Entity",
    "kinds": [
      "Farmer",
      "Company"
    ],
    "unknown": "UnknownEntity",
    "evidence": {
      "ProductTransaction": [
        {
          "field": "source",
          "is": "Company",
          "where": "type",
          "equals": "OUTGOING"
        },
        {
          "field": "source",
          "is": "Company",
          "where": "parents",
          "probable": "each"
        }
      ],
      "PaymentTransaction": [
        {
          "field": "source",
          "is": "Company",
          "where": "type",
          "equals": "OUTGOING"
        },
        {
          "field": "destination",
          "is": "Company",
          "where": "type",
          "equals": "INCOMING",
          "probable": "alone"
        }
      ]
    }
  }
} as const;

export const references = {
  "Farmer": {
    "entity_card": {
      "to": "EntityCard",
      "where": "is_active",
      "noIdField": true
    },
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    },
    "buyer": {
      "to": "Company"
    }
  },
  "EntityCard": {
    "entity": {
      "to": "Entity",
      "probeFirst": "Farmer"
    },
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    }
  },
  "Card": {
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    }
  },
  "Submission": {
    "form": {
      "to": "Form",
      "details": "form_details"
    },
    "product": {
      "to": "Product"
    },
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    }
  },
  "SubmissionValue": {
    "field": {
      "to": "FormField",
      "details": "field_details"
    },
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    }
  },
  "FormField": {
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    }
  },
  "Form": {
    "owner": {
      "to": "Company"
    },
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    }
  },
  "Product": {
    "premiums": {
      "to": "Premium",
      "objects": "premium_details",
      "list": true
    },
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    }
  },
  "FormFieldConfig": {
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    }
  },
  "Company": {
    "currency": {
      "to": "Currency",
      "expandedById": true,
      "labelled": true
    },
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    },
    "buyer": {
      "to": "Company",
      "mayBeEmbedded": true
    },
    "entity_card": {
      "to": "EntityCard",
      "where": "is_active",
      "expandedById": true
    },
    "owned_premiums": {
      "to": "Premium",
      "objects": "owned_premium_details",
      "list": true
    },
    "members": {
      "to": "User",
      "list": true
    },
    "products": {
      "to": "Product",
      "list": true
    }
  },
  "Currency": {},
  "FieldVisibility": {
    "company": {
      "to": "Company"
    },
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    }
  },
  "CompanyMember": {
    "user": {
      "to": "User",
      "noIdField": true
    },
    "company": {
      "to": "Company"
    },
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    }
  },
  "User": {
    "managing_entitys": {
      "to": "Entity",
      "mayBeEmbedded": true,
      "probeFirst": "Company",
      "list": true
    },
    "default_entity": {
      "to": "Entity",
      "probeFirst": "Company"
    }
  },
  "Premium": {
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    },
    "owner": {
      "to": "Company"
    }
  },
  "PremiumOption": {
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    }
  },
  "ProductTransaction": {
    "source": {
      "to": "Entity",
      "probeFirst": "Farmer"
    },
    "destination": {
      "to": "Entity",
      "probeFirst": "Company"
    },
    "product": {
      "to": "Product"
    },
    "currency": {
      "to": "Currency",
      "details": "currency_details",
      "labelled": true
    },
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    },
    "card": {
      "to": "Card",
      "details": "card_details"
    },
    "parents": {
      "to": "ProductTransaction",
      "list": true
    }
  },
  "PaymentTransaction": {
    "source": {
      "to": "Entity",
      "probeFirst": "Company"
    },
    "destination": {
      "to": "Entity",
      "probeFirst": "Farmer"
    },
    "currency": {
      "to": "Currency",
      "details": "currency_details",
      "labelled": true
    },
    "selected_option": {
      "to": "PremiumOption",
      "within": "premium_details"
    },
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    },
    "card": {
      "to": "Card",
      "loadAfter": [
        "transaction",
        "source",
        "destination"
      ]
    },
    "premium": {
      "to": "Premium",
      "details": "premium_details"
    },
    "transaction": {
      "to": "ProductTransaction"
    },
    "submissions": {
      "to": "Submission",
      "objects": "submission_details",
      "mayBeEmbedded": true,
      "list": true
    }
  },
  "UnknownEntity": {
    "creator": {
      "to": "User"
    },
    "updater": {
      "to": "User"
    },
    "buyer": {
      "to": "Company"
    }
  },
  "TracedLot": {
    "transaction": {
      "to": "ProductTransaction"
    }
  },
  "TracedParty": {
    "entity": {
      "to": "Entity"
    }
  },
  "ProductTransactionTotal": {
    "product": {
      "to": "Product"
    },
    "source": {
      "to": "Entity",
      "probeFirst": "Farmer"
    },
    "destination": {
      "to": "Entity",
      "probeFirst": "Company"
    },
    "currency": {
      "to": "Currency",
      "within": "currency",
      "mayBeEmbedded": true
    }
  },
  "ProductTransactionPremiumTotal": {
    "premium": {
      "to": "Premium",
      "within": "premium",
      "mayBeEmbedded": true
    },
    "currency": {
      "to": "Currency",
      "within": "currency",
      "mayBeEmbedded": true
    }
  },
  "CompanyProductBalance": {
    "product": {
      "to": "Product"
    }
  },
  "PaymentTransactionTotal": {
    "source": {
      "to": "Entity",
      "probeFirst": "Company"
    },
    "destination": {
      "to": "Entity",
      "probeFirst": "Farmer"
    },
    "premium": {
      "to": "Premium",
      "within": "premium",
      "mayBeEmbedded": true
    },
    "currency": {
      "to": "Currency",
      "within": "currency",
      "mayBeEmbedded": true
    }
  },
  "CardHolder": {
    "holder": {
      "to": "Entity"
    }
  },
  "FarmerCandidate": {
    "farmer": {
      "to": "Farmer",
      "noIdField": true
    }
  }
} as const;

export const inputReferences = {
  "CreateFarmerInput": {
    "creator": "User",
    "updater": "User",
    "buyer": "Company"
  },
  "CreateCompanyInput": {
    "currency": "Currency",
    "creator": "User",
    "updater": "User",
    "buyer": "Company",
    "entity_card": "EntityCard"
  },
  "UpdateCompanyInput": {
    "currency": "Currency",
    "creator": "User",
    "updater": "User",
    "buyer": "Company",
    "entity_card": "EntityCard"
  },
  "CreateCompanyMemberInput": {
    "company": "Company",
    "creator": "User",
    "updater": "User",
    "user_id": "User"
  },
  "UserInput": {
    "default_entity": "Entity",
    "accepted_policy": "Policy"
  },
  "UpdateUserInput": {
    "default_entity": "Entity",
    "accepted_policy": "Policy"
  },
  "CreateEntityCardInput": {
    "entity": "Entity",
    "creator": "User",
    "updater": "User"
  },
  "CardInput": {
    "creator": "User",
    "updater": "User"
  },
  "CreatePremiumInput": {
    "creator": "User",
    "updater": "User",
    "owner": "Company"
  },
  "PremiumOptionInput": {
    "creator": "User",
    "updater": "User"
  },
  "CreateFormInput": {
    "owner": "Company",
    "creator": "User",
    "updater": "User"
  },
  "FormFieldInput": {
    "creator": "User",
    "updater": "User"
  },
  "FormFieldConfigInput": {
    "creator": "User",
    "updater": "User"
  },
  "CreateProductTransactionInput": {
    "source": "Entity",
    "destination": "Entity",
    "product": "Product",
    "currency": "Currency",
    "creator": "User",
    "updater": "User",
    "card": "Card",
    "parents": "ProductTransaction"
  },
  "PaymentTransactionInput": {
    "source": "Entity",
    "destination": "Entity",
    "currency": "Currency",
    "selected_option": "PremiumOption",
    "creator": "User",
    "updater": "User",
    "card": "Card",
    "premium": "Premium",
    "transaction": "ProductTransaction",
    "submissions": "Submission"
  },
  "SubmissionInput": {
    "form": "Form",
    "product": "Product",
    "creator": "User",
    "updater": "User"
  },
  "SubmissionValueInput": {
    "field": "FormField",
    "creator": "User",
    "updater": "User"
  },
  "CreatePaymentTransactionInput": {
    "source": "Entity",
    "destination": "Entity",
    "currency": "Currency",
    "selected_option": "PremiumOption",
    "creator": "User",
    "updater": "User",
    "card": "Card",
    "premium": "Premium",
    "transaction": "ProductTransaction",
    "submissions": "Submission"
  }
} as const;

export const waysBack = {
  "Card": {
    "holder": {
      "list": "listEntityCards",
      "of": [
        "card"
      ],
      "gives": "entity",
      "where": "is_active"
    }
  },
  "Farmer": {
    "productTransactions": {
      "list": "listProductTransactions",
      "of": [
        "source",
        "destination"
      ],
      "by": "entity"
    },
    "paymentTransactions": {
      "list": "listPaymentTransactions",
      "of": [
        "source",
        "destination"
      ]
    }
  },
  "Company": {
    "productTransactions": {
      "list": "listProductTransactions",
      "of": [
        "source",
        "destination"
      ],
      "by": "entity"
    },
    "paymentTransactions": {
      "list": "listPaymentTransactions",
      "of": [
        "source",
        "destination"
      ]
    }
  },
  "Product": {
    "productTransactions": {
      "list": "listProductTransactions",
      "of": [
        "product"
      ]
    }
  },
  "ProductTransaction": {
    "children": {
      "list": "listProductTransactions",
      "of": [
        "parents"
      ]
    }
  }
} as const;

export const embedded = {
  "Farmer": {
    "submission": "Submission"
  },
  "EntityCard": {
    "card": "Card"
  },
  "Card": {},
  "Submission": {
    "values": "SubmissionValue"
  },
  "SubmissionValue": {},
  "FormField": {},
  "Form": {
    "fields": "FormField",
    "products": "Product",
    "field_config": "FormFieldConfig"
  },
  "Product": {},
  "FormFieldConfig": {},
  "Company": {
    "forms": "Form",
    "field_visibilties": "FieldVisibility"
  },
  "Currency": {},
  "FieldVisibility": {},
  "CompanyMember": {},
  "User": {},
  "Premium": {
    "options": "PremiumOption"
  },
  "PremiumOption": {},
  "ProductTransaction": {
    "transaction_payments": "PaymentTransaction",
    "submissions": "Submission"
  },
  "PaymentTransaction": {}
} as const;

export const inherited = {
  "Company": {
    "forms": {
      "owner": "id"
    }
  },
  "ProductTransaction": {
    "transaction_payments": {
      "transaction": "id",
      "source": "destination",
      "destination": "source",
      "currency": "currency",
      "date": "date",
      "created_on": "created_on",
      "card": "card",
      "invoice_number": "invoice_number",
      "verification_latitude": "verification_latitude",
      "verification_longitude": "verification_longitude"
    }
  }
} as const;

export const unknownValue = "UNKNOWN_VALUE" as const;

export const mediaFields = {
  "Farmer": [
    "image"
  ],
  "Product": [
    "image"
  ],
  "Company": [
    "image"
  ],
  "User": [
    "image"
  ],
  "ProductTransaction": [
    "invoice"
  ],
  "PaymentTransaction": [
    "invoice"
  ],
  "UnknownEntity": [
    "image"
  ]
} as const;

export const requiredKeys = {
  "Farmer": {
    "name": [
      [
        "name",
        "first_name"
      ],
      [
        "name",
        "last_name"
      ]
    ],
    "consent_status_raw": [
      [
        "consent_status"
      ]
    ]
  },
  "FormField": {
    "localized_label": []
  },
  "Form": {
    "form_type_raw": [
      [
        "form_type"
      ]
    ]
  },
  "Product": {
    "premium_ids": [
      [
        "premiums"
      ]
    ],
    "active": [
      [
        "is_active"
      ]
    ]
  },
  "User": {
    "current_policy_accepted": [
      [
        "policy_accepted"
      ]
    ]
  },
  "Premium": {
    "category_raw": [
      [
        "category"
      ]
    ],
    "type_raw": [
      [
        "type"
      ]
    ],
    "applicable_activity_raw": [
      [
        "applicable_activity"
      ]
    ],
    "calculation_type_raw": [
      [
        "calculation_type"
      ]
    ]
  },
  "ProductTransaction": {
    "method_raw": [
      [
        "method"
      ]
    ]
  },
  "PaymentTransaction": {
    "method_raw": [
      [
        "method"
      ]
    ],
    "payment_type_raw": [
      [
        "payment_type"
      ]
    ]
  }
} as const;

export const shapes = {
  "FarmerPage": {
    "count": "integer",
    "results": "Farmer[]",
    "next": "string",
    "previous": "string"
  },
  "Farmer": {
    "first_name": "string",
    "id": "string",
    "entity_card": "EntityCard",
    "submission": "Submission",
    "phone": "string",
    "updated_on": "date-time",
    "created_on": "date-time",
    "image": "string",
    "description": "string",
    "house_name": "string",
    "street": "string",
    "city": "string",
    "sub_province": "string",
    "province": "string",
    "latitude": "number",
    "longitude": "number",
    "zipcode": "string",
    "country": "string",
    "number": "string",
    "email": "string",
    "identification_no": "string",
    "reference_number": "string",
    "last_name": "string",
    "date_of_birth": "string",
    "gender": "string",
    "consent_status": "GRANTED|NOT_GRANTED|UNKNOWN",
    "creator": "string",
    "updater": "string",
    "buyer": "string",
    "plots": "json"
  },
  "EntityCard": {
    "card": "Card",
    "entity": "string",
    "id": "string",
    "updated_on": "date-time",
    "created_on": "date-time",
    "is_active": "boolean",
    "creator": "string",
    "updater": "string"
  },
  "Card": {
    "card_id": "string",
    "id": "string",
    "updated_on": "date-time",
    "created_on": "date-time",
    "display_id": "string",
    "creator": "string",
    "updater": "string"
  },
  "Submission": {
    "form": "string",
    "values": "SubmissionValue[]",
    "id": "string",
    "form_details": "Form",
    "product": "string",
    "updated_on": "date-time",
    "created_on": "date-time",
    "creator": "string",
    "updater": "string"
  },
  "SubmissionValue": {
    "field": "string",
    "value": "string",
    "id": "string",
    "field_details": "FormField",
    "updated_on": "date-time",
    "created_on": "date-time",
    "creator": "string",
    "updater": "string"
  },
  "FormField": {
    "label": "string",
    "type": "string",
    "id": "string",
    "updated_on": "date-time",
    "created_on": "date-time",
    "label_en_us": "string",
    "label_en_uk": "string",
    "label_fr": "string",
    "label_nl": "string",
    "label_ind": "string",
    "key": "string",
    "required": "boolean",
    "default_value": "string",
    "options": "string",
    "creator": "string",
    "updater": "string"
  },
  "Form": {
    "fields": "FormField[]",
    "owner": "string",
    "id": "string",
    "products": "Product[]",
    "field_config": "FormFieldConfig[]",
    "updated_on": "date-time",
    "created_on": "date-time",
    "form_type": "TRANSACTION|FARMER|PAYMENT|PRODUCT",
    "creator": "string",
    "updater": "string"
  },
  "Product": {
    "name": "string",
    "id": "string",
    "premiums": "string",
    "is_active": "string",
    "updated_on": "date-time",
    "created_on": "date-time",
    "description": "string",
    "image": "string",
    "creator": "string",
    "updater": "string"
  },
  "FormFieldConfig": {
    "label": "string",
    "key": "string",
    "id": "string",
    "updated_on": "date-time",
    "created_on": "date-time",
    "visibility": "boolean",
    "required": "boolean",
    "creator": "string",
    "updater": "string"
  },
  "Company": {
    "name": "string",
    "id": "string",
    "currency": "string",
    "created_on": "date-time",
    "description": "string",
    "house_name": "string",
    "street": "string",
    "city": "string",
    "sub_province": "string",
    "province": "string",
    "latitude": "number",
    "longitude": "number",
    "zipcode": "string",
    "country": "string",
    "email": "string",
    "phone": "string",
    "buy_enabled": "boolean",
    "sell_enabled": "boolean",
    "quality_correction": "boolean",
    "allow_multiple_login": "boolean",
    "creator": "string",
    "updater": "string",
    "buyer": "string",
    "entity_card": "string",
    "updated_on": "date-time",
    "image": "string",
    "members": "string[]",
    "products": "string[]"
  },
  "CompanyDetail": {
    "name": "string",
    "id": "string",
    "currency": "Currency",
    "created_on": "date-time",
    "description": "string",
    "house_name": "string",
    "street": "string",
    "city": "string",
    "sub_province": "string",
    "province": "string",
    "latitude": "number",
    "longitude": "number",
    "zipcode": "string",
    "country": "string",
    "email": "string",
    "phone": "string",
    "buy_enabled": "boolean",
    "sell_enabled": "boolean",
    "quality_correction": "boolean",
    "allow_multiple_login": "boolean",
    "creator": "string",
    "updater": "string",
    "buyer": "CompanyDetail.buyer",
    "entity_card": "EntityCard",
    "updated_on": "date-time",
    "image": "string",
    "forms": "Form[]",
    "field_visibilties": "FieldVisibility[]",
    "owned_premiums": "string[]",
    "members": "string[]",
    "products": "string[]"
  },
  "Currency": {
    "name": "string",
    "id": "string",
    "code": "string"
  },
  "CompanyDetail.buyer": {
    "id": "string",
    "name": "string",
    "entity_card": "EntityCard",
    "image": "string",
    "description": "string"
  },
  "FieldVisibility": {
    "name": "string",
    "company": "string",
    "id": "string",
    "updated_on": "date-time",
    "created_on": "date-time",
    "visibility": "boolean",
    "type": "string",
    "creator": "string",
    "updater": "string"
  },
  "CompanyMember": {
    "user": "User",
    "company": "string",
    "id": "string",
    "updated_on": "date-time",
    "created_on": "date-time",
    "type": "string",
    "is_active": "boolean",
    "creator": "string",
    "updater": "string"
  },
  "User": {
    "id": "string",
    "first_name": "string",
    "last_name": "string",
    "email": "string",
    "dob": "string",
    "phone": "string",
    "address": "string",
    "image": "string",
    "updated_email": "string",
    "managing_entitys": "string[]",
    "default_entity": "string",
    "accepted_policy": "string",
    "policy_accepted": "string",
    "current_policy": "string",
    "language": "string"
  },
  "EntityCardPage": {
    "count": "integer",
    "results": "EntityCard[]",
    "next": "string",
    "previous": "string"
  },
  "ProductPage": {
    "count": "integer",
    "results": "Product[]",
    "next": "string",
    "previous": "string"
  },
  "CardPage": {
    "count": "integer",
    "results": "Card[]",
    "next": "string",
    "previous": "string"
  },
  "CurrencyPage": {
    "count": "integer",
    "results": "Currency[]",
    "next": "string",
    "previous": "string"
  },
  "PremiumPage": {
    "count": "integer",
    "results": "Premium[]",
    "next": "string",
    "previous": "string"
  },
  "Premium": {
    "name": "string",
    "id": "string",
    "options": "PremiumOption[]",
    "updated_on": "date-time",
    "created_on": "date-time",
    "category": "PAYOUT|TRANSACTION",
    "type": "PER_TRANSACTION|PER_KG|PER_UNIT_CURRENCY|PER_FARMER",
    "amount": "number",
    "included": "boolean",
    "dependant_on_card": "boolean",
    "applicable_activity": "BUY|SELL",
    "calculation_type": "NORMAL|MANUAL|OPTIONS",
    "is_active": "boolean",
    "creator": "string",
    "updater": "string",
    "owner": "string"
  },
  "PremiumOption": {
    "name": "string",
    "amount": "number",
    "id": "string",
    "updated_on": "date-time",
    "created_on": "date-time",
    "is_active": "boolean",
    "creator": "string",
    "updater": "string"
  },
  "FormPage": {
    "count": "integer",
    "results": "Form[]",
    "next": "string",
    "previous": "string"
  },
  "ProductTransactionPage": {
    "count": "integer",
    "results": "ProductTransaction[]",
    "next": "string",
    "previous": "string"
  },
  "ProductTransaction": {
    "amount": "string",
    "source": "string",
    "destination": "string",
    "product": "string",
    "id": "string",
    "transaction_payments": "PaymentTransaction[]",
    "currency": "string",
    "type": "string",
    "source_quantity": "string",
    "current_quantity": "string",
    "is_deleted": "boolean",
    "submissions": "Submission[]",
    "card_details": "Card",
    "currency_details": "Currency",
    "number": "string",
    "date": "date-time",
    "created_on": "date-time",
    "updated_on": "date-time",
    "invoice": "string",
    "invoice_number": "string",
    "verification_latitude": "number",
    "verification_longitude": "number",
    "method": "CARD|INVOICE|NONE",
    "quality_correction": "number",
    "quantity": "string",
    "creator": "string",
    "updater": "string",
    "card": "string",
    "parents": "string[]"
  },
  "PaymentTransaction": {
    "source": "string",
    "destination": "string",
    "id": "string",
    "premium_details": "Premium",
    "currency_details": "Currency",
    "type": "string",
    "currency": "string",
    "number": "string",
    "created_on": "date-time",
    "updated_on": "date-time",
    "date": "date-time",
    "invoice": "string",
    "invoice_number": "string",
    "verification_latitude": "number",
    "verification_longitude": "number",
    "method": "CARD|INVOICE|NONE",
    "payment_type": "TRANSACTION|PREMIUM|TRANSACTION_PREMIUM",
    "amount": "number",
    "selected_option": "string",
    "creator": "string",
    "updater": "string",
    "card": "string",
    "premium": "string",
    "transaction": "string",
    "submissions": "string[]"
  },
  "PaymentTransactionPage": {
    "count": "integer",
    "results": "PaymentTransaction[]",
    "next": "string",
    "previous": "string"
  },
  "InvoiceUploaded": {
    "id": "string",
    "invoice": "string"
  }
} as const;

export const idProperties = {} as const;

export const onlyIn = {
  "Farmer": {
    "plots": "connect"
  },
  "ProductTransaction": {
    "is_deleted": "connect"
  }
} as const;

export const differences = {
  "connect": {
    "Card": {
      "is_active": [
        "boolean"
      ]
    },
    "Company": {
      "buyer": [
        "absent"
      ],
      "make_farmers_private": [
        "boolean"
      ],
      "only_connect": [
        "boolean"
      ],
      "theme_info": [
        "object"
      ]
    },
    "CompanyDetail": {
      "buyers": [
        "array"
      ],
      "field_visibilties": [
        "absent"
      ],
      "is_default": [
        "boolean"
      ],
      "make_farmers_private": [
        "boolean"
      ],
      "only_connect": [
        "boolean"
      ],
      "theme_info": [
        "object"
      ]
    },
    "CompanyDetail.buyer": {
      "entity_card": [
        "array"
      ]
    },
    "CompanyMember": {
      "user": [
        "string"
      ]
    },
    "CompanyMember.user": {
      "accepted_policy": [
        "absent"
      ],
      "current_policy": [
        "absent"
      ],
      "default_entity": [
        "absent"
      ],
      "image": [
        "absent"
      ],
      "managing_entitys": [
        "absent"
      ],
      "policy_accepted": [
        "absent"
      ],
      "updated_email": [
        "absent"
      ]
    },
    "Farmer": {
      "linked_services": [
        "array"
      ],
      "meta_data": [
        "object"
      ],
      "only_connect": [
        "boolean"
      ],
      "plots": [
        "absent"
      ]
    },
    "Form": {
      "owner": [
        "absent"
      ]
    },
    "Form.products": {
      "created_on": [
        "absent"
      ],
      "creator": [
        "absent"
      ],
      "description": [
        "absent"
      ],
      "image": [
        "absent"
      ],
      "is_active": [
        "absent"
      ],
      "premiums": [
        "absent"
      ],
      "updated_on": [
        "absent"
      ],
      "updater": [
        "absent"
      ]
    },
    "PaymentTransaction": {
      "comment": [
        "string"
      ],
      "currency": [
        "absent"
      ],
      "selected_option_details": [
        "object"
      ]
    },
    "Premium": {
      "calculation_type": [
        "RANGE"
      ],
      "label": [
        "string"
      ],
      "ranges": [
        "array"
      ]
    },
    "Product": {
      "is_active": [
        "boolean"
      ],
      "premiums": [
        "array"
      ]
    },
    "ProductTransaction": {
      "base_price": [
        "number"
      ],
      "currency": [
        "absent"
      ],
      "reference": [
        "string"
      ],
      "send_seperately": [
        "boolean"
      ],
      "is_deleted": [
        "absent"
      ]
    },
    "ProductTransaction.transaction_payments": {
      "card": [
        "absent"
      ],
      "created_on": [
        "absent"
      ],
      "creator": [
        "absent"
      ],
      "currency_details": [
        "absent"
      ],
      "date": [
        "absent"
      ],
      "destination": [
        "absent"
      ],
      "invoice": [
        "absent"
      ],
      "invoice_number": [
        "absent"
      ],
      "method": [
        "absent"
      ],
      "number": [
        "absent"
      ],
      "source": [
        "absent"
      ],
      "submissions": [
        "absent"
      ],
      "transaction": [
        "absent"
      ],
      "type": [
        "absent"
      ],
      "updated_on": [
        "absent"
      ],
      "updater": [
        "absent"
      ],
      "verification_latitude": [
        "absent"
      ],
      "verification_longitude": [
        "absent"
      ]
    },
    "Submission.form_details": {
      "created_on": [
        "absent"
      ],
      "creator": [
        "absent"
      ],
      "field_config": [
        "absent"
      ],
      "fields": [
        "absent"
      ],
      "owner": [
        "absent"
      ],
      "products": [
        "absent"
      ],
      "updated_on": [
        "absent"
      ],
      "updater": [
        "absent"
      ]
    },
    "SubmissionValue": {
      "field": [
        "absent"
      ]
    },
    "User": {
      "managing_entitys": [
        "object[]"
      ],
      "policy_accepted": [
        "boolean"
      ]
    }
  },
  "spec": {
    "Farmer": {
      "plots": [
        "absent"
      ]
    },
    "ProductTransaction": {
      "is_deleted": [
        "absent"
      ]
    }
  }
} as const;

export const wire = {
  "page": {
    "count": "count",
    "rows": "results",
    "limit": "limit",
    "offset": "offset"
  },
  "wholeBody": [
    "detail",
    "non_field_errors",
    "__all__"
  ],
  "refusals": {
    "keyCodes": [
      "token_not_valid",
      "bad_authorization_header",
      "user_not_found",
      "user_inactive",
      "not_authenticated"
    ],
    "keyWords": [
      "authenti",
      "autenti",
      "token not valid",
      "deactivated"
    ],
    "idWords": [
      "dict",
      "pk",
      "hashid",
      "primary key"
    ],
    "objectWords": [
      "dictionary"
    ]
  },
  "internalNumbers": true,
  "otherIds": [
    "key",
    "code"
  ]
} as const;

export const dialects = [
  {
    "name": "spec",
    "times": "iso",
    "appliesFilters": true
  },
  {
    "name": "connect",
    "times": "unix",
    "envelope": {
      "data": "data",
      "success": "success",
      "message": "message",
      "code": "code"
    },
    "refusesTimes": "Unix timestamps must be float or int",
    "breaksOnInput": true
  }
] as const;

export const key = {
  "header": "Authorization",
  "claims": [
    "user_id",
    "session_data.entity_id"
  ],
  "signIn": {
    "header": "auth-type",
    "value": "password_grant"
  }
} as const;

export const partFields = {
  "ProductTransaction": [
    "origin",
    "use"
  ],
  "Query": [
    "productTransactionTotals",
    "paymentTransactionTotals",
    "cardHolder",
    "farmerCandidates"
  ],
  "Farmer": [
    "totals"
  ],
  "Company": [
    "balance"
  ]
} as const;

export const parts = {
  "lineage": {
    "parents": "parents",
    "source": "source",
    "destination": "destination",
    "quantity": "quantity",
    "back": "origin",
    "forward": "use",
    "row": "transaction",
    "list": "listProductTransactions",
    "kind": "ProductTransaction"
  },
  "totals": [
    {
      "list": "listProductTransactions",
      "kind": "ProductTransaction",
      "groupBy": [
        "product",
        "source",
        "destination"
      ],
      "sums": [
        "quantity",
        "amount"
      ],
      "enums": [],
      "month": "date",
      "unit": "currency",
      "inside": [
        {
          "field": "premiums",
          "of": "transaction_payments",
          "by": "premium",
          "sums": [
            "amount"
          ],
          "kind": "PaymentTransaction"
        }
      ],
      "on": [
        {
          "type": "Farmer",
          "field": "totals",
          "of": [
            "source",
            "destination"
          ],
          "by": "entity"
        }
      ],
      "balances": [
        {
          "type": "Company",
          "field": "balance",
          "in": "destination",
          "out": "source",
          "of": "product",
          "sum": "quantity",
          "left": "current_quantity"
        }
      ]
    },
    {
      "list": "listPaymentTransactions",
      "kind": "PaymentTransaction",
      "groupBy": [
        "source",
        "destination",
        "premium",
        "payment_type"
      ],
      "sums": [
        "amount"
      ],
      "enums": [
        "payment_type"
      ],
      "month": "date",
      "unit": "currency",
      "inside": [],
      "on": [],
      "balances": []
    }
  ],
  "identify": {
    "holders": {
      "cardHolder": {
        "argument": "card_id",
        "target": "Entity",
        "lists": [
          "listFarmers",
          "listEntityCards"
        ]
      }
    },
    "candidates": {
      "farmerCandidates": {
        "list": "listFarmers",
        "kind": "Farmer",
        "compares": {
          "name": {
            "of": [
              "first_name",
              "last_name"
            ],
            "as": "names",
            "filters": [
              "first_name",
              "last_name"
            ]
          },
          "number": {
            "of": [
              "number"
            ],
            "as": "codes",
            "filters": [
              "number"
            ]
          },
          "phone": {
            "of": [
              "phone"
            ],
            "as": "phones",
            "filters": []
          },
          "identification_no": {
            "of": [
              "identification_no"
            ],
            "as": "codes",
            "filters": []
          }
        }
      }
    },
    "lists": {
      "listFarmers": {
        "kind": "Farmer",
        "changes": "updated_after",
        "writes": [
          "createFarmer",
          "createEntityCard"
        ],
        "holders": {
          "cardHolder": {
            "assignment": "entity_card",
            "by": [
              "card.card_id",
              "card.display_id"
            ],
            "active": "is_active",
            "newest": "updated_on"
          }
        }
      },
      "listEntityCards": {
        "kind": "EntityCard",
        "changes": "updated_after",
        "writes": [
          "createCompany",
          "updateCompany",
          "createCompanyMember",
          "updateUser",
          "createEntityCard"
        ],
        "holders": {
          "cardHolder": {
            "holder": "entity",
            "by": [
              "card.card_id",
              "card.display_id"
            ],
            "active": "is_active",
            "newest": "updated_on"
          }
        }
      }
    }
  },
  "map": {
    "Farmer": {
      "latitude": "latitude",
      "longitude": "longitude",
      "polygons": "plots",
      "country": "country",
      "properties": {
        "ProducerName": [
          "name"
        ],
        "ProducerCountry": [
          "country"
        ],
        "ProductionPlace": [
          "city",
          "sub_province",
          "province"
        ]
      },
      "ofPolygons": {
        "Area": "area"
      }
    }
  },
  "sign-in": {
    "onlyIn": "connect",
    "signIn": {
      "path": "/auth/login/",
      "username": "username",
      "password": "password",
      "device": "device_id"
    },
    "refresh": {
      "path": "/auth/token/refresh/",
      "token": "refresh",
      "claims": {
        "entity": "session_data.entity_id"
      }
    },
    "answer": {
      "token": "access",
      "refreshToken": "refresh",
      "seconds": "expires_in"
    }
  }
} as const;
