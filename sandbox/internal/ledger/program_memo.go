package ledger

import (
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"
)

var memoPrograms = [...]solana.PublicKey{
	solana.MemoProgramID,
	solana.MustPublicKeyFromBase58("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"),
	solana.MustPublicKeyFromBase58("Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH"),
}

// runMemo logs a text. The accounts of the instruction must sign.
func runMemo(x *Invocation) {
	for _, m := range x.Accounts {
		FailIf(!m.Signer, errSigner)
	}
	FailIf(!utf8.Valid(x.Data), errData)
	x.Log("Memo: " + string(x.Data))
}
