package ledger

// transactionTexts are the node's words for the errors of transactions.
var transactionTexts = map[string]string{
	"AccountLoadedTwice":      "Account loaded twice",
	"AccountNotFound":         "Attempt to debit an account but found no record of a prior credit.",
	"ProgramAccountNotFound":  "Attempt to load a program that does not exist",
	"InsufficientFundsForFee": "Insufficient funds for fee",
	"InvalidAccountForFee":    "This account may not be used to pay transaction fees",
	"AlreadyProcessed":        "This transaction has already been processed",
	"BlockhashNotFound":       "Blockhash not found",
	"SignatureFailure":        "Transaction did not pass signature verification",

	"InvalidProgramForExecution":     "This program may not be used for executing instructions",
	"AddressLookupTableNotFound":     "Transaction loads an address table account that doesn't exist",
	"InvalidAddressLookupTableOwner": "Transaction loads an address table account with an invalid owner",
	"InvalidAddressLookupTableData":  "Transaction loads an address table account with invalid data",
	"InvalidAddressLookupTableIndex": "Transaction address table lookup uses an invalid index",

	"MaxLoadedAccountsDataSizeExceeded":  "Transaction exceeded max loaded accounts data size cap",
	"InvalidLoadedAccountsDataSizeLimit": "LoadedAccountsDataSizeLimit set for transaction must be greater than 0.",
}

// instructionTexts are the node's words for the errors of instructions.
var instructionTexts = map[string]string{
	"InvalidArgument":                "invalid program argument",
	"InvalidInstructionData":         "invalid instruction data",
	"InvalidAccountData":             "invalid account data for instruction",
	"AccountDataTooSmall":            "account data too small for instruction",
	"InsufficientFunds":              "insufficient funds for instruction",
	"IncorrectProgramId":             "incorrect program id for instruction",
	"MissingRequiredSignature":       "missing required signature for instruction",
	"AccountAlreadyInitialized":      "instruction requires an uninitialized account",
	"UninitializedAccount":           "instruction requires an initialized account",
	"ModifiedProgramId":              "instruction illegally modified the program id of an account",
	"ExternalAccountLamportSpend":    "instruction spent from the balance of an account it does not own",
	"ExternalAccountDataModified":    "instruction modified data of an account it does not own",
	"ReadonlyLamportChange":          "instruction changed the balance of a read-only account",
	"ReadonlyDataModified":           "instruction modified data of a read-only account",
	"NotEnoughAccountKeys":           "insufficient account keys for instruction",
	"UnsupportedProgramId":           "Unsupported program id",
	"CallDepth":                      "Cross-program invocation call depth too deep",
	"MissingAccount":                 "An account required by the instruction is missing",
	"MaxSeedLengthExceeded":          "Length of the seed is too long for address generation",
	"InvalidSeeds":                   "Provided seeds do not result in a valid address",
	"ComputationalBudgetExceeded":    "Computational budget exceeded",
	"PrivilegeEscalation":            "Cross-program invocation with unauthorized signer or writable account",
	"ProgramFailedToComplete":        "Program failed to complete",
	"ProgramEnvironmentSetupFailure": "Failed to create program execution environment",
	"Immutable":                      "Account is immutable",
	"IncorrectAuthority":             "Incorrect authority provided",
	"InvalidAccountOwner":            "Invalid account owner",
	"IllegalOwner":                   "Provided owner is not allowed",
}
