package rpcnode

import (
	"encoding/json"
	"slices"

	"github.com/walletfi/walletfi-go/signing"
)

// tokenLayouts are the token programs': a u8 tag, then the fields. An optional
// key is a byte that says whether it is there, then the key.
var tokenLayouts = map[string]layout{
	"initializeMint":     initializeMint(0, "rentSysvar"),
	"initializeMint2":    initializeMint(20),
	"initializeAccount":  initializeAccount(1, "account", "mint", "owner", "rentSysvar"),
	"initializeAccount2": initializeAccount(16, "account", "mint", "rentSysvar"),
	"initializeAccount3": initializeAccount(18, "account", "mint"),
	"transfer":           move(3, "authority", "multisigAuthority", "source", "destination"),
	"approve":            move(4, "owner", "multisigOwner", "source", "delegate"),
	"revoke":             bare(5, "owner", "multisigOwner", "source"),
	"setAuthority":       setAuthority,
	"mintTo":             move(7, "mintAuthority", "multisigMintAuthority", "mint", "account"),
	"burn":               move(8, "authority", "multisigAuthority", "account", "mint"),
	"closeAccount":       bare(9, "owner", "multisigOwner", "account", "destination"),
	"freezeAccount":      bare(10, "freezeAuthority", "multisigFreezeAuthority", "account", "mint"),
	"thawAccount":        bare(11, "freezeAuthority", "multisigFreezeAuthority", "account", "mint"),
	"transferChecked":    moveChecked(12, "authority", "multisigAuthority", "source", "mint", "destination"),
	"approveChecked":     moveChecked(13, "owner", "multisigOwner", "source", "mint", "delegate"),
	"mintToChecked":      moveChecked(14, "mintAuthority", "multisigMintAuthority", "mint", "account"),
	"burnChecked":        moveChecked(15, "authority", "multisigAuthority", "account", "mint"),
	"syncNative": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("account"), []byte{17}
	},
	// The extensions that it asks for change nothing: it only answers a size.
	"getAccountDataSize": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("mint"), []byte{21}
	},
	"initializeImmutableOwner": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("account"), []byte{22}
	},
	"amountToUiAmount": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("mint"), append([]byte{23}, u64(f.number("amount"))...)
	},
	"uiAmountToAmount": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("mint"), append([]byte{24}, f.text("uiAmount")...)
	},
	"transferCheckedWithFee": transferCheckedWithFee,
	"harvestWithheldTokensToMint": func(f *fields) ([]signing.PublicKey, []byte) {
		var sources []signing.PublicKey
		f.read("sourceAccounts", &sources)
		return append(f.keys("mint"), sources...), []byte{26, 4}
	},
	"withdrawExcessLamports": bare(38, "authority", "multisigAuthority", "source", "destination"),
	"unwrapLamports":         unwrapLamports,
}

// bare is an instruction without fields.
func bare(tag byte, plain, multisig string, accounts ...string) layout {
	return func(f *fields) ([]signing.PublicKey, []byte) {
		return append(f.keys(accounts...), f.authority(plain, multisig)...), []byte{tag}
	}
}

// move is an instruction with an amount.
func move(tag byte, plain, multisig string, accounts ...string) layout {
	return func(f *fields) ([]signing.PublicKey, []byte) {
		return append(f.keys(accounts...), f.authority(plain, multisig)...), append([]byte{tag}, u64(f.number("amount"))...)
	}
}

// moveChecked is an instruction with an amount and its mint's decimals.
func moveChecked(tag byte, plain, multisig string, accounts ...string) layout {
	return func(f *fields) ([]signing.PublicKey, []byte) {
		units, decimals := f.amount("tokenAmount")
		data := append(append([]byte{tag}, u64(units)...), decimals)
		return append(f.keys(accounts...), f.authority(plain, multisig)...), data
	}
}

func transferCheckedWithFee(f *fields) ([]signing.PublicKey, []byte) {
	units, decimals := f.amount("tokenAmount")
	fee, _ := f.amount("feeAmount")
	data := slices.Concat([]byte{26, 1}, u64(units), []byte{decimals}, u64(fee))
	return append(f.keys("source", "mint", "destination"), f.authority("authority", "multisigAuthority")...), data
}

func unwrapLamports(f *fields) ([]signing.PublicKey, []byte) {
	data := []byte{45, 0}
	if f.has("amount") {
		data = append([]byte{45, 1}, u64(f.number("amount"))...)
	}
	return append(f.keys("source", "destination"), f.authority("authority", "multisigAuthority")...), data
}

func initializeMint(tag byte, more ...string) layout {
	return func(f *fields) ([]signing.PublicKey, []byte) {
		var decimals uint8
		f.read("decimals", &decimals)
		data := slices.Concat([]byte{tag, decimals}, f.bytes("mintAuthority"), f.optionalKey("freezeAuthority"))
		return f.keys(append([]string{"mint"}, more...)...), data
	}
}

// initializeAccount has the owner among the accounts in its first form, and
// among the data in the later ones.
func initializeAccount(tag byte, accounts ...string) layout {
	return func(f *fields) ([]signing.PublicKey, []byte) {
		data := []byte{tag}
		if !slices.Contains(accounts, "owner") {
			data = append(data, f.bytes("owner")...)
		}
		return f.keys(accounts...), data
	}
}

// authorityTypes are in the order of their numbers.
var authorityTypes = []string{
	"mintTokens", "freezeAccount", "accountOwner", "closeAccount", "transferFeeConfig", "withheldWithdraw", "closeMint",
	"interestRate", "permanentDelegate", "confidentialTransferMint", "transferHookProgramId",
	"confidentialTransferFeeConfig", "metadataPointer", "groupPointer", "groupMemberPointer", "scaledUiAmount", "pause",
}

func setAuthority(f *fields) ([]signing.PublicKey, []byte) {
	kind := slices.Index(authorityTypes, f.text("authorityType"))
	if kind < 0 {
		f.missing = true
	}
	of := "mint"
	if f.has("account") {
		of = "account"
	}
	data := append([]byte{6, byte(max(kind, 0))}, f.optionalKey("newAuthority")...)
	return append(f.keys(of), f.authority("authority", "multisigAuthority")...), data
}

func (f *fields) optionalKey(name string) []byte {
	if !f.has(name) {
		return []byte{0}
	}
	var k signing.PublicKey
	if json.Unmarshal(f.of[name], &k) != nil {
		f.missing = true
	}
	return append([]byte{1}, k[:]...)
}
