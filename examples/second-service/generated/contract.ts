// Written by `npm run codegen` from examples/second-service/library.openapi.yaml; not to be edited. `ContractData` describes each table.

export const endpoints = {
  "listWorks": {
    "rootField": "works",
    "does": "list",
    "method": "GET",
    "path": "/works/",
    "kind": "Work",
    "filters": {
      "title": "title",
      "author": "author"
    },
    "response": "WorkPage",
    "filterChecks": {
      "title": {
        "compares": "texts",
        "shownBy": [
          "title"
        ]
      },
      "author": {
        "compares": "ids",
        "shownBy": [
          "author"
        ]
      }
    }
  },
  "createWork": {
    "rootField": "createWork",
    "does": "write",
    "method": "POST",
    "path": "/works/",
    "creates": true,
    "kind": "Work",
    "response": "Work",
    "numberIds": [
      [
        "author"
      ],
      [
        "subjects"
      ]
    ]
  },
  "getWork": {
    "rootField": "work",
    "does": "get",
    "method": "GET",
    "path": "/works/{number}/",
    "kind": "Work",
    "idPattern": "^(0|[1-9]\\d{0,18})$",
    "response": "Work"
  },
  "uploadCover": {
    "rootField": "uploadCover",
    "does": "write",
    "method": "PATCH",
    "path": "/works/{number}/cover/",
    "kind": "Work",
    "idPattern": "^(0|[1-9]\\d{0,18})$",
    "idArgument": "work",
    "response": "Work",
    "file": "cover"
  },
  "listSubjects": {
    "rootField": "subjects",
    "does": "list",
    "method": "GET",
    "path": "/subjects/",
    "kind": "Subject",
    "response": "SubjectPage",
    "provesKey": true,
    "isCached": true
  },
  "listCopies": {
    "rootField": "copies",
    "does": "list",
    "method": "GET",
    "path": "/copies/",
    "kind": "Copy",
    "filters": {
      "work": "work"
    },
    "response": "CopyPage",
    "time": "acquired_at",
    "isNewestFirst": true,
    "filterChecks": {
      "work": {
        "compares": "ids",
        "shownBy": [
          "work"
        ]
      }
    }
  },
  "getCopy": {
    "rootField": "copy",
    "does": "get",
    "method": "GET",
    "path": "/copies/{number}/",
    "kind": "Copy",
    "idPattern": "^(0|[1-9]\\d{0,18})$",
    "response": "Copy"
  },
  "listLoans": {
    "rootField": "loans",
    "does": "list",
    "method": "GET",
    "path": "/loans/",
    "kind": "Loan",
    "filters": {
      "borrower": "borrower",
      "lent_after": "lent_after"
    },
    "response": "LoanPage",
    "time": "lent_at",
    "isNewestFirst": true,
    "filterChecks": {
      "borrower": {
        "compares": "ids",
        "shownBy": [
          "borrower"
        ]
      },
      "lent_after": {
        "compares": "after",
        "times": "iso",
        "shownBy": [
          "lent_at"
        ]
      }
    }
  },
  "createLoan": {
    "rootField": "createLoan",
    "does": "write",
    "method": "POST",
    "path": "/loans/",
    "creates": true,
    "kind": "Loan",
    "response": "Loan",
    "numberIds": [
      [
        "copy"
      ],
      [
        "borrower"
      ],
      [
        "lent_by"
      ]
    ]
  },
  "getLoan": {
    "rootField": "loan",
    "does": "get",
    "method": "GET",
    "path": "/loans/{number}/",
    "kind": "Loan",
    "idPattern": "^(0|[1-9]\\d{0,18})$",
    "response": "Loan"
  },
  "updateLoan": {
    "rootField": "updateLoan",
    "does": "write",
    "method": "PATCH",
    "path": "/loans/{number}/",
    "kind": "Loan",
    "idPattern": "^(0|[1-9]\\d{0,18})$",
    "response": "Loan"
  },
  "listPersons": {
    "rootField": "persons",
    "does": "list",
    "method": "GET",
    "path": "/persons/",
    "kind": "Person",
    "filters": {
      "name": "name"
    },
    "response": "PersonPage",
    "filterChecks": {
      "name": {
        "compares": "texts",
        "shownBy": [
          "name"
        ]
      }
    }
  },
  "getPerson": {
    "rootField": "person",
    "does": "get",
    "method": "GET",
    "path": "/persons/{number}/",
    "kind": "Person",
    "idPattern": "^(0|[1-9]\\d{0,18})$",
    "response": "Person"
  },
  "getInstitution": {
    "rootField": "institution",
    "does": "get",
    "method": "GET",
    "path": "/institutions/{number}/",
    "kind": "Institution",
    "idPattern": "^(0|[1-9]\\d{0,18})$",
    "response": "Institution"
  }
} as const;

export const kinds = {
  "Work": {
    "get": "getWork",
    "list": "listWorks",
    "id": "^(0|[1-9]\\d{0,18})$"
  },
  "Subject": {
    "list": "listSubjects",
    "id": "^(0|[1-9]\\d{0,18})$"
  },
  "Copy": {
    "get": "getCopy",
    "list": "listCopies",
    "id": "^(0|[1-9]\\d{0,18})$"
  },
  "Loan": {
    "get": "getLoan",
    "list": "listLoans",
    "id": "^(0|[1-9]\\d{0,18})$"
  },
  "Person": {
    "get": "getPerson",
    "list": "listPersons",
    "id": "^(0|[1-9]\\d{0,18})$"
  },
  "Institution": {
    "get": "getInstitution",
    "id": "^(0|[1-9]\\d{0,18})$"
  }
} as const;

export const unions = {
  "Borrower": {
    "name": "Borrower",
    "kinds": [
      "Person",
      "Institution"
    ],
    "unknown": "UnknownBorrower",
    "evidence": {}
  }
} as const;

export const references = {
  "Work": {
    "author": {
      "to": "Person"
    },
    "subjects": {
      "to": "Subject",
      "list": true
    }
  },
  "Subject": {
    "broader": {
      "to": "Subject"
    }
  },
  "Copy": {
    "work": {
      "to": "Work"
    }
  },
  "Loan": {
    "copy": {
      "to": "Copy"
    },
    "borrower": {
      "to": "Borrower"
    },
    "lent_by": {
      "to": "Person"
    }
  },
  "Person": {},
  "Institution": {},
  "UnknownBorrower": {},
  "LoanTotal": {
    "borrower": {
      "to": "Borrower"
    },
    "lent_by": {
      "to": "Person"
    }
  }
} as const;

export const inputReferences = {
  "CreateWorkInput": {
    "author": "Person",
    "subjects": "Subject"
  },
  "CreateLoanInput": {
    "copy": "Copy",
    "borrower": "Borrower",
    "lent_by": "Person"
  },
  "UpdateLoanInput": {}
} as const;

export const waysBack = {
  "Work": {
    "copies": {
      "list": "listCopies",
      "of": [
        "work"
      ],
      "by": "work"
    }
  },
  "Person": {
    "loans": {
      "list": "listLoans",
      "of": [
        "borrower"
      ],
      "by": "borrower"
    }
  },
  "Institution": {
    "loans": {
      "list": "listLoans",
      "of": [
        "borrower"
      ],
      "by": "borrower"
    }
  }
} as const;

export const embedded = {
  "Work": {},
  "Subject": {},
  "Copy": {},
  "Loan": {},
  "Person": {},
  "Institution": {}
} as const;

export const inherited = {} as const;

export const unknownValue = "UNKNOWN_VALUE" as const;

export const mediaFields = {
  "Work": [
    "cover"
  ]
} as const;

export const requiredKeys = {
  "Copy": {
    "condition_raw": [
      [
        "condition"
      ]
    ]
  },
  "Loan": {
    "is_late": [
      [
        "due_on"
      ],
      [
        "returned_at"
      ]
    ]
  }
} as const;

export const shapes = {
  "WorkPage": {
    "count": "integer",
    "results": "Work[]"
  },
  "Work": {
    "id": "number-id",
    "title": "string",
    "year": "integer",
    "language": "string",
    "author": "number-id",
    "subjects": "number-id[]",
    "cover": "string",
    "added_at": "date-time"
  },
  "SubjectPage": {
    "count": "integer",
    "results": "Subject[]"
  },
  "Subject": {
    "id": "number-id",
    "name": "string",
    "broader": "number-id"
  },
  "CopyPage": {
    "count": "integer",
    "results": "Copy[]"
  },
  "Copy": {
    "id": "number-id",
    "work": "number-id",
    "barcode": "string",
    "shelf": "string",
    "condition": "NEW|GOOD|WORN",
    "price": "string",
    "acquired_at": "date-time"
  },
  "LoanPage": {
    "count": "integer",
    "results": "Loan[]"
  },
  "Loan": {
    "id": "number-id",
    "copy": "number-id",
    "borrower": "number-id",
    "lent_by": "number-id",
    "lent_at": "date-time",
    "due_on": "string",
    "returned_at": "date-time",
    "note": "string"
  },
  "PersonPage": {
    "count": "integer",
    "results": "Person[]"
  },
  "Person": {
    "id": "number-id",
    "name": "string",
    "email": "string",
    "joined_at": "date-time",
    "born_on": "string"
  },
  "Institution": {
    "id": "number-id",
    "name": "string",
    "email": "string",
    "joined_at": "date-time",
    "city": "string"
  }
} as const;

export const idProperties = {} as const;

export const onlyIn = {} as const;

export const differences = {} as const;

export const wire = {
  "page": {
    "count": "total",
    "rows": "items",
    "limit": "per_page",
    "number": "page",
    "largest": 50
  },
  "wholeBody": [
    "general"
  ]
} as const;

export const dialects = [
  {
    "name": "plain",
    "times": "iso",
    "envelope": {
      "data": "content",
      "success": "ok",
      "message": "reason",
      "code": "status"
    },
    "appliesFilters": true
  }
] as const;

export const key = {
  "header": "X-Library-Key",
  "claims": []
} as const;

export const partFields = {
  "Query": [
    "loanTotals"
  ],
  "Person": [
    "loanTotals"
  ],
  "Institution": [
    "loanTotals"
  ]
} as const;

export const parts = {
  "totals": [
    {
      "list": "listLoans",
      "kind": "Loan",
      "groupBy": [
        "borrower",
        "lent_by"
      ],
      "sums": [],
      "enums": [],
      "month": "lent_at",
      "inside": [],
      "on": [
        {
          "type": "Person",
          "field": "loanTotals",
          "of": [
            "borrower"
          ],
          "by": "borrower"
        },
        {
          "type": "Institution",
          "field": "loanTotals",
          "of": [
            "borrower"
          ],
          "by": "borrower"
        }
      ],
      "balances": []
    }
  ]
} as const;
