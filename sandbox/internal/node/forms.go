package node

// authorities are what SetAuthority of the token programs changes, by number.
var authorities = []string{
	"mintTokens", "freezeAccount", "accountOwner", "closeAccount", "transferFeeConfig", "withheldWithdraw",
	"closeMint", "interestRate", "permanentDelegate", "confidentialTransferMint", "transferHookProgramId",
	"confidentialTransferFeeConfig", "metadataPointer", "groupPointer", "groupMemberPointer", "scaledUiAmount", "pause",
}

// holder is the name of the account whose authority it is.
func holder(authority any) string {
	if authority == "accountOwner" || authority == "closeAccount" {
		return "account"
	}
	return "mint"
}

var systemForms = map[uint32]string{
	0:  "createAccount|source newAccount|lamports:u64 space:u64 owner:key",
	1:  "assign|account|owner:key",
	2:  "transfer|source destination|lamports:u64",
	3:  "createAccountWithSeed|source newAccount|base:key seed:seed lamports:u64 space:u64 owner:key",
	4:  "advanceNonce|nonceAccount recentBlockhashesSysvar nonceAuthority|",
	5:  "withdrawFromNonce|nonceAccount destination recentBlockhashesSysvar rentSysvar nonceAuthority|lamports:u64",
	6:  "initializeNonce|nonceAccount recentBlockhashesSysvar rentSysvar|nonceAuthority:key",
	7:  "authorizeNonce|nonceAccount nonceAuthority|newAuthorized:key",
	8:  "allocate|account|space:u64",
	9:  "allocateWithSeed|account|base:key seed:seed space:u64 owner:key",
	10: "assignWithSeed|account|base:key seed:seed owner:key",
	11: "transferWithSeed|source sourceBase destination|lamports:u64 sourceSeed:seed sourceOwner:key",
	12: "upgradeNonce|nonceAccount|",
}

var tokenForms = map[uint32]string{
	0:  "initializeMint|mint rentSysvar|decimals:u8 mintAuthority:key freezeAuthority:optional",
	1:  "initializeAccount|account mint owner rentSysvar|",
	2:  "initializeMultisig|multisig rentSysvar signers+|m:u8",
	3:  "transfer|source destination authority*|amount:amount",
	4:  "approve|source delegate owner*|amount:amount",
	5:  "revoke|source owner*|",
	6:  "setAuthority|accountOrMint authority*|authorityType:authority newAuthority:null",
	7:  "mintTo|mint account mintAuthority*|amount:amount",
	8:  "burn|account mint authority*|amount:amount",
	9:  "closeAccount|account destination owner*|",
	10: "freezeAccount|account mint freezeAuthority*|",
	11: "thawAccount|account mint freezeAuthority*|",
	12: "transferChecked|source mint destination authority*|tokenAmount:ui",
	13: "approveChecked|source mint delegate owner*|tokenAmount:ui",
	14: "mintToChecked|mint account mintAuthority*|tokenAmount:ui",
	15: "burnChecked|account mint authority*|tokenAmount:ui",
	16: "initializeAccount2|account mint rentSysvar|owner:key",
	17: "syncNative|account|",
	18: "initializeAccount3|account mint|owner:key",
	19: "initializeMultisig2|multisig signers+|m:u8",
	20: "initializeMint2|mint|decimals:u8 mintAuthority:key freezeAuthority:optional",
	21: "getAccountDataSize|mint|extensionTypes:extensions",
	22: "initializeImmutableOwner|account|",
	23: "amountToUiAmount|mint|amount:amount",
	24: "uiAmountToAmount|mint|uiAmount:rest",
	25: "initializeMintCloseAuthority|mint|newAuthority:null",
	31: "createNativeMint|payer nativeMint systemProgram|",
	32: "initializeNonTransferableMint|mint|",
	35: "initializePermanentDelegate|mint|delegate:key",
	38: "withdrawExcessLamports|source destination authority*|",
	45: "unwrapLamports|source destination authority*|amount:maybe",

	extensionForm(26, 0): "initializeTransferFeeConfig|mint|transferFeeConfigAuthority:optional " +
		"withdrawWithheldAuthority:optional transferFeeBasisPoints:u16 maximumFee:u64",
	extensionForm(26, 1): "transferCheckedWithFee|source mint destination authority*|tokenAmount:withFee",
	extensionForm(26, 2): "withdrawWithheldTokensFromMint|mint feeRecipient withdrawWithheldAuthority*|",
	extensionForm(26, 4): "harvestWithheldTokensToMint|mint sourceAccounts+|",
	extensionForm(26, 5): "setTransferFee|mint transferFeeConfigAuthority*|transferFeeBasisPoints:u16 maximumFee:u64",
}

var associatedForms = map[uint32]string{
	0: "create|source account wallet mint systemProgram tokenProgram|",
	1: "createIdempotent|source account wallet mint systemProgram tokenProgram|",
	2: "recoverNested|nestedSource nestedMint destination nestedOwner ownerMint wallet tokenProgram|",
}

var tableForms = map[uint32]string{
	0: "createLookupTable|lookupTableAccount lookupTableAuthority payerAccount systemProgram|recentSlot:u64 bumpSeed:u8",
	1: "freezeLookupTable|lookupTableAccount lookupTableAuthority|",
	2: "extendLookupTable|lookupTableAccount lookupTableAuthority payerAccount? systemProgram?|newAddresses:keys",
	3: "deactivateLookupTable|lookupTableAccount lookupTableAuthority|",
	4: "closeLookupTable|lookupTableAccount lookupTableAuthority recipient|",
}

var voteForms = map[uint32]string{14: "towersync|voteAccount voteAuthority|towerSync:tower"}
