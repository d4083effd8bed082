package ledger

import (
	"encoding/base64"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// tokenNames are what Token-2022 calls its instructions in the log, by their first byte. Token logs no
// names.
var tokenNames = map[byte]string{
	0: "InitializeMint", 1: "InitializeAccount", 2: "InitializeMultisig", 3: "Transfer", 4: "Approve", 5: "Revoke",
	6: "SetAuthority", 7: "MintTo", 8: "Burn", 9: "CloseAccount", 10: "FreezeAccount", 11: "ThawAccount",
	12: "TransferChecked", 13: "ApproveChecked", 14: "MintToChecked", 15: "BurnChecked", 16: "InitializeAccount2",
	17: "SyncNative", 18: "InitializeAccount3", 19: "InitializeMultisig2", 20: "InitializeMint2",
	21: "GetAccountDataSize", 22: "InitializeImmutableOwner", 23: "AmountToUiAmount", 24: "UiAmountToAmount",
	25: "InitializeMintCloseAuthority", 29: "Reallocate", 31: "CreateNativeMint", 32: "InitializeNonTransferableMint",
	35: "InitializePermanentDelegate", 38: "WithdrawExcessLamports", 42: "ConfidentialMintBurnExtension",
	43: "ScaledUiAmountExtension", 44: "PausableExtension", 45: "UnwrapLamports",
	46: "PermissionedBurnExtension", 255: "Batch",
}

// extensionNames are what it calls those of an extension, by the first byte and then the second.
var extensionNames = map[byte][]string{
	26: {"", "TransferFeeInstruction: TransferCheckedWithFee",
		"TransferFeeInstruction: WithdrawWithheldTokensFromMint",
		"TransferFeeInstruction: WithdrawWithheldTokensFromAccounts",
		"TransferFeeInstruction: HarvestWithheldTokensToMint", "TransferFeeInstruction: SetTransferFee"},
	27: named("ConfidentialTransferInstruction::", "InitializeMint", "UpdateMint", "ConfigureAccount", "ApproveAccount",
		"EmptyAccount", "Deposit", "Withdraw", "Transfer", "ApplyPendingBalance", "EnableConfidentialCredits",
		"DisableConfidentialCredits", "EnableNonConfidentialCredits", "DisableNonConfidentialCredits",
		"TransferWithFee", "ConfigureAccountWithRegistry"),
	37: named("ConfidentialTransferFeeInstruction::", "InitializeConfidentialTransferFeeConfig",
		"WithdrawWithheldTokensFromMint", "WithdrawWithheldTokensFromAccounts", "HarvestWithheldTokensToMint",
		"EnableHarvestToMint", "DisableHarvestToMint"),
	42: named("ConfidentialMintBurnInstruction::", "InitializeMint", "RotateSupplyElGamal", "UpdateDecryptableSupply",
		"ConfidentialMint", "ConfidentialBurn", "ApplyPendingBurn"),
	28: {"DefaultAccountStateInstruction::Initialize", "DefaultAccountStateInstruction::Update"},
	30: {"RequiredMemoTransfersInstruction::Enable", "RequiredMemoTransfersInstruction::Disable"},
	33: {"InterestBearingMintInstruction::Initialize", "InterestBearingMintInstruction::UpdateRate"},
	34: {"CpiGuardInstruction::Enable", "CpiGuardInstruction::Disable"},
	36: {"TransferHookInstruction::Initialize", "TransferHookInstruction::Update"},
	39: {"MetadataPointerInstruction::Initialize", "MetadataPointerInstruction::Update"},
	40: {"GroupPointerInstruction::Initialize", "GroupPointerInstruction::Update"},
	41: {"GroupMemberPointerInstruction::Initialize", "GroupMemberPointerInstruction::Update"},
	43: {"ScaledUiAmountMintInstruction::Initialize", "ScaledUiAmountMintInstruction::UpdateScale"},
	44: {"PausableInstruction::Initialize", "PausableInstruction::Pause", "PausableInstruction::Resume"},
	46: named("PermissionedBurnInstruction::", "Initialize", "Burn", "BurnChecked", "ConfidentialBurn"),
}

// named puts a prefix before each of the names.
func named(prefix string, names ...string) []string {
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}

// logToken logs which instruction of Token-2022 it is.
func (x *Invocation) logToken() {
	if name, ok := tokenNames[x.Data[0]]; ok {
		x.Log("Instruction: " + name)
	}
	names := extensionNames[x.Data[0]]
	if len(x.Data) > 1 && int(x.Data[1]) < len(names) && names[x.Data[1]] != "" {
		x.Log(names[x.Data[1]])
	}
}

// tokenTexts are what the token programs say of their own errors, and programTexts what a program says
// of those that all share. Of others they say "Unknown", and of those of the runtime nothing.
var tokenTexts = map[uint32]string{
	0: "Error: Lamport balance below rent-exempt threshold", 1: "Error: insufficient funds", 2: "Error: Invalid Mint",
	3: "Error: Account not associated with this Mint", 4: "Error: owner does not match",
	5: "Error: the total supply of this token is fixed", 6: "Error: account or token already in use",
	7: "Error: Invalid number of provided signers", 8: "Error: Invalid number of required signers",
	9: "Error: State is uninitialized", 10: "Error: Instruction does not support native tokens",
	11: "Error: Non-native account can only be closed if its balance is zero", 12: "Error: Invalid instruction",
	13: "Error: Invalid account state for operation", 14: "Error: Operation overflowed",
	15: "Error: Account does not support specified authority type",
	16: "Error: This token mint cannot freeze accounts", 17: "Error: Account is frozen",
	18: "Error: decimals different from the Mint decimals",
	19: "Error: Instruction does not support non-native tokens",
	20: "Error: New extension type does not match already existing extensions",
	22: "Error: Extension already initialized on this account",
	30: "Error: Transfer fee exceeds maximum of 10,000 basis points",
	31: "Mint required for this account to transfer tokens, use " +
		"`transfer_checked` or `transfer_checked_with_fee`",
	32: "Calculated fee does not match expected fee",
	36: "Error: No memo in previous instruction required for recipient to receive a transfer",
	34: "The owner authority cannot be changed", 37: "Transfer is disabled for this mint",
	66: "Invalid scale for scaled ui amount",
}

var programTexts = map[string]bool{
	"InvalidArgument": true, "InvalidInstructionData": true, "InvalidAccountData": true, "AccountDataTooSmall": true,
	"InsufficientFunds": true, "IncorrectProgramId": true, "MissingRequiredSignature": true,
	"AccountAlreadyInitialized": true, "UninitializedAccount": true, "NotEnoughAccountKeys": true,
	"InvalidSeeds": true, "InvalidRealloc": true, "IllegalOwner": true, "InvalidAccountOwner": true,
	"ArithmeticOverflow": true, "Immutable": true, "IncorrectAuthority": true,
}

// stakeTexts are what the stake program says of the errors that all programs share.
var stakeTexts = map[string]string{
	"InvalidArgument":          "The arguments provided to a program instruction were invalid",
	"InvalidInstructionData":   "An instruction's data contents was invalid",
	"InvalidAccountData":       "An account's data contents was invalid",
	"InsufficientFunds":        "An account's balance was too small to complete the instruction",
	"IncorrectProgramId":       "The account did not have the expected program id",
	"MissingRequiredSignature": "A signature was required but not found",
	"NotEnoughAccountKeys":     "The instruction expected additional account keys",
	"MaxSeedLengthExceeded":    "Length of the seed is too long for address generation",
	"InvalidAccountOwner":      "Invalid account owner",
	"IllegalOwner":             "Provided owner is not allowed",
}

// explain logs what a program says of the error that it ends with.
func (x *Invocation) explain(err *InstructionError) {
	token := tokenProgram(x.Program)
	switch {
	case x.Program == solana.StakeProgramID && err.Kind == "Custom":
		x.Log(fmt.Sprintf("ERROR: Custom program error: %#x", err.Custom))
	case x.Program == solana.StakeProgramID && stakeTexts[err.Kind] != "":
		x.Log("ERROR: " + stakeTexts[err.Kind])
	case !token && x.Program != solana.AddressLookupTableProgramID || err == tokenNothing && !x.extended():
	case programTexts[err.Kind]:
		x.Log("Error: " + err.Kind)
	case err.Kind == "Custom" && token && tokenTexts[err.Custom] != "":
		x.Log(tokenTexts[err.Custom])
	case err.Kind == "Custom" && token:
		x.Log("Error: Unknown")
	}
}

// say writes a line of the runtime's own into the log.
func (x *Invocation) say(format string, args ...any) {
	x.logs = append(x.logs, fmt.Sprintf(format, args...))
}

// failSaying ends the instruction if a condition holds, with a line that says why.
func (x *Invocation) failSaying(is bool, err *InstructionError, format string, args ...any) {
	if is {
		x.say(format, args...)
		panic(err)
	}
}

// failLogging is the same with a line of the program's.
func (x *Invocation) failLogging(is bool, err *InstructionError, line string) {
	x.failSaying(is, err, "Program log: %s", line)
}

// logEnd writes what the runtime says of a program's end. limit is how much the program could use.
func (x *Invocation) logEnd(name string, used, limit uint64, err *InstructionError) {
	if !builtin(x.Program) && err != errNoHeap {
		x.say("%s consumed %d of %d compute units", name, used, limit)
		if len(x.returned) > 0 {
			x.say("Program return: %s %s", x.Program, base64.StdEncoding.EncodeToString(x.returned))
		}
	}
	if err == nil {
		x.say("%s success", name)
		return
	}
	x.say("%s failed: %s", name, err.words())
}
