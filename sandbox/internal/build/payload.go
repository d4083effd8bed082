package build

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// Malformed says why texts are no transactions in an encoding, base58 or base64:
// what no correct client sends. A transaction may lack signatures. An empty text,
// which is a problem of its own, is passed over.
func Malformed(encoding string, texts ...string) (problems []string) {
	for i, text := range texts {
		if text == "" {
			continue
		}
		if _, err := parse(text, encoding); err != nil {
			problems = append(problems, fmt.Sprintf("transaction %d: %v", i, err))
		}
	}
	return problems
}

func parse(text, encoding string) (*ledger.Transaction, error) {
	if len(text) > kit.LongestPayload {
		return nil, errors.New("the transaction is too long")
	}
	decode := base58.Decode
	if encoding == "base64" {
		decode = base64.StdEncoding.DecodeString
	}
	raw, err := decode(text)
	if err != nil || len(raw) == 0 {
		return nil, fmt.Errorf("the transaction is not %s", encoding)
	}
	tx, err := ledger.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("the transaction is malformed: %w", err)
	}
	return tx, nil
}

// DecodeSigned reads a signed transaction in base58 or base64. It fails if the
// encoding is wrong, the transaction is malformed, or a signature is missing or
// invalid.
func DecodeSigned(text, encoding string) (*ledger.Transaction, error) {
	tx, err := parse(text, encoding)
	if err != nil {
		return nil, err
	}
	for i, signature := range tx.Signatures {
		if signature.IsZero() {
			return nil, fmt.Errorf("the transaction is not signed by %s", tx.Keys[i])
		}
		if !signature.Verify(tx.Keys[i], tx.Message) {
			return nil, fmt.Errorf("the signature of %s is not valid", tx.Keys[i])
		}
	}
	return tx, nil
}

// ListInstructions writes instructions as services answer them.
func ListInstructions(all []solana.Instruction) []any { return kit.List(all, InstructionJSON) }

// InstructionJSON writes an instruction as services answer it.
func InstructionJSON(in solana.Instruction) any {
	accounts := kit.List(in.Accounts(), func(a *solana.AccountMeta) any {
		return map[string]any{"pubkey": a.PublicKey, "isSigner": a.IsSigner, "isWritable": a.IsWritable}
	})
	data := kit.Must(in.Data())
	return map[string]any{
		"programId": in.ProgramID(), "accounts": accounts, "data": base64.StdEncoding.EncodeToString(data),
	}
}
