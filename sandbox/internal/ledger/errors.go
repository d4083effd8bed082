package ledger

import (
	"encoding/json"
	"fmt"
)

// TxError says why a transaction was dropped or failed, as nodes write it.
type TxError struct {
	Kind        string // "BlockhashNotFound", "InstructionError", ...
	Instruction int    // index, of an InstructionError
	Cause       *InstructionError
	Account     int // index, of an InsufficientFundsForRent
}

// The errors that have no detail.
var (
	ErrSignature        = &TxError{Kind: "SignatureFailure"}
	ErrBlockhash        = &TxError{Kind: "BlockhashNotFound"}
	ErrAlreadyProcessed = &TxError{Kind: "AlreadyProcessed"}
	ErrNoAccount        = &TxError{Kind: "AccountNotFound"}
	ErrPayer            = &TxError{Kind: "InvalidAccountForFee"}
	ErrFee              = &TxError{Kind: "InsufficientFundsForFee"}
	ErrLoadedTwice      = &TxError{Kind: "AccountLoadedTwice"}
	ErrNoTable          = &TxError{Kind: "AddressLookupTableNotFound"}
	ErrTableOwner       = &TxError{Kind: "InvalidAddressLookupTableOwner"}
	ErrTableIndex       = &TxError{Kind: "InvalidAddressLookupTableIndex"}
	ErrTableData        = &TxError{Kind: "InvalidAddressLookupTableData"}
	ErrNoProgram        = &TxError{Kind: "ProgramAccountNotFound"}
	ErrNotProgram       = &TxError{Kind: "InvalidProgramForExecution"}
	ErrDataLimit        = &TxError{Kind: "InvalidLoadedAccountsDataSizeLimit"}
	ErrTooMuchData      = &TxError{Kind: "MaxLoadedAccountsDataSizeExceeded"}
)

// Error is the one line that nodes log.
func (e *TxError) Error() string {
	switch e.Kind {
	case "InstructionError":
		return fmt.Sprintf("Error processing Instruction %d: %s", e.Instruction, e.Cause)
	case "InsufficientFundsForRent":
		return fmt.Sprintf("Transaction results in an account (%d) with insufficient funds for rent", e.Account)
	case "DuplicateInstruction":
		return fmt.Sprintf("Transaction contains a duplicate instruction (%d) that is not allowed", e.Instruction)
	}
	if text, ok := transactionTexts[e.Kind]; ok {
		return text
	}
	return e.Kind
}

// MarshalJSON writes the error as nodes do: a word, or an object of one key.
func (e *TxError) MarshalJSON() ([]byte, error) {
	switch e.Kind {
	case "InstructionError":
		return json.Marshal(map[string]any{e.Kind: []any{e.Instruction, e.Cause}})
	case "InsufficientFundsForRent":
		return json.Marshal(map[string]any{e.Kind: map[string]int{"account_index": e.Account}})
	case "DuplicateInstruction":
		return json.Marshal(map[string]any{e.Kind: e.Instruction})
	}
	return json.Marshal(e.Kind)
}

// InstructionError says why an instruction failed.
type InstructionError struct {
	Kind   string // "Custom", "MissingRequiredSignature", ...
	Custom uint32 // the program's own number
	why    string // what the log has instead of the node's words, if anything
}

// Error is in the node's words.
func (e *InstructionError) Error() string {
	if e.Kind == "Custom" {
		return fmt.Sprintf("custom program error: 0x%x", e.Custom)
	}
	if text, ok := instructionTexts[e.Kind]; ok {
		return text
	}
	return e.Kind
}

func (e *InstructionError) words() string {
	if e.why != "" {
		return e.why
	}
	return e.Error()
}

// MarshalJSON writes a word, or the number of a custom error.
func (e *InstructionError) MarshalJSON() ([]byte, error) {
	if e.Kind == "Custom" {
		return json.Marshal(map[string]uint32{"Custom": e.Custom})
	}
	return json.Marshal(e.Kind)
}

// Custom is a program's own error.
func Custom(number uint32) *InstructionError {
	return &InstructionError{Kind: "Custom", Custom: number}
}

// The instruction errors that every program shares.
var (
	ErrData         = &InstructionError{Kind: "InvalidInstructionData"}
	errArgument     = &InstructionError{Kind: "InvalidArgument"}
	errAccountData  = &InstructionError{Kind: "InvalidAccountData"}
	errAccountOwner = &InstructionError{Kind: "InvalidAccountOwner"}
	errIllegalOwner = &InstructionError{Kind: "IllegalOwner"}
	errSeeds        = &InstructionError{Kind: "InvalidSeeds"}
	errFunds        = &InstructionError{Kind: "InsufficientFunds"}
	errProgram      = &InstructionError{Kind: "IncorrectProgramId"}
	ErrSigner       = &InstructionError{Kind: "MissingRequiredSignature"}
	errKeys         = &InstructionError{Kind: "NotEnoughAccountKeys"}
	errReadonly     = &InstructionError{Kind: "ReadonlyDataModified"}
	errUninit       = &InstructionError{Kind: "UninitializedAccount"}
	errMissing      = &InstructionError{Kind: "MissingAccount"}
	errPrivilege    = &InstructionError{Kind: "PrivilegeEscalation"}
	errUnsupported  = &InstructionError{Kind: "UnsupportedProgramId"}
	errUnits        = &InstructionError{Kind: "ComputationalBudgetExceeded"}
	errNoHeap       = &InstructionError{Kind: "ProgramEnvironmentSetupFailure"}
	errIncomplete   = &InstructionError{Kind: "ProgramFailedToComplete", why: "SBF program panicked"}
	errSpend        = &InstructionError{Kind: "ExternalAccountLamportSpend"}
	errExternalData = &InstructionError{Kind: "ExternalAccountDataModified"}
	errModified     = &InstructionError{Kind: "ModifiedProgramId"}
	errDataSmall    = &InstructionError{Kind: "AccountDataTooSmall"}
	errImmutable    = &InstructionError{Kind: "Immutable"}
	errAuthority    = &InstructionError{Kind: "IncorrectAuthority"}
	errSeedLength   = &InstructionError{Kind: "MaxSeedLengthExceeded"}

	errReadonlyLamports = &InstructionError{Kind: "ReadonlyLamportChange"}
)
