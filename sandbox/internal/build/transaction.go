package build

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
	associatedtokenaccount "github.com/gagliardetto/solana-go/programs/associated-token-account"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Unsigned says what transaction to build.
type Unsigned struct {
	// Owner requested the transaction and must sign it.
	Owner solana.PublicKey
	// Payer pays the fee. Zero means the owner.
	Payer solana.PublicKey
	// Legacy builds the format without version. False means v0.
	Legacy bool
	// UnitLimit and UnitPrice (micro-lamports per unit) add compute-budget
	// instructions. 0 adds no instruction.
	UnitLimit uint32
	UnitPrice uint64
	// Tables are lookup tables to load accounts from.
	Tables []solana.PublicKey
	// Cosigners sign now.
	Cosigners []ed25519.PrivateKey
	// Instructions of the transaction, in order.
	Instructions []solana.Instruction
}

// Built is a transaction that a service answers.
type Built struct {
	Raw                  []byte
	Blockhash            string
	LastValidBlockHeight uint64
}

// Base64 is the transaction in base64.
func (b Built) Base64() string { return base64.StdEncoding.EncodeToString(b.Raw) }

// Base58 is the transaction in base58.
func (b Built) Base58() string { return base58.Encode(b.Raw) }

// Latest is the newest blockhash that a preflight at confirmed knows, and its last valid height.
func (s *Chain) Latest() (solana.Hash, uint64) {
	return s.Blockhash(s.CurrentSlot() - s.BlockAt(s.CurrentSlot()-s.Lag("confirmed")))
}

// Build makes the transaction that a service answers, on a recent blockhash.
// Every transaction of every service is built here, so an attack can replace
// any of them. It refuses the request if that makes no transaction.
func (s *Chain) Build(service play.Service, u Unsigned) Built {
	if u.Payer.IsZero() {
		u.Payer = u.Owner
	}
	var budget []solana.Instruction
	if u.UnitLimit > 0 {
		budget = append(budget, computebudget.NewSetComputeUnitLimitInstruction(u.UnitLimit).Build())
	}
	if u.UnitPrice > 0 {
		budget = append(budget, computebudget.NewSetComputeUnitPriceInstruction(u.UnitPrice).Build())
	}
	hash, last := s.Latest()
	options := []solana.TransactionOption{solana.TransactionPayer(u.Payer)}
	if len(u.Tables) > 0 && !u.Legacy {
		tables := map[solana.PublicKey]solana.PublicKeySlice{}
		for _, t := range u.Tables {
			tables[t] = ledger.TableKeys(s.Account(t).Data)
		}
		options = append(options, solana.TransactionAddressTables(tables))
	}
	tx := kit.Must(solana.NewTransaction(append(budget, u.Instructions...), hash, options...))
	if !u.Legacy {
		tx.Message.SetVersion(solana.MessageVersionV0)
	}
	raw := kit.Must(s.Encode(tx, u.Cosigners))
	s.expire(u.Instructions)
	if s.attack != nil {
		if other := s.attack(service, raw, u.Owner); other != nil {
			raw = other
		}
	}
	return Built{raw, hash.String(), last}
}

// Encode writes a transaction with the signatures of the cosigners; the other
// slots stay empty.
func (s *Chain) Encode(tx *solana.Transaction, cosigners []ed25519.PrivateKey) ([]byte, error) {
	_, err := tx.PartialSign(func(key solana.PublicKey) *solana.PrivateKey {
		for _, c := range cosigners {
			if PublicKey(c) == key {
				return new(solana.PrivateKey(c))
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("sandbox: signing: %w", err)
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("sandbox: encoding a transaction: %w", err)
	}
	if len(raw) > ledger.MaxSize {
		return nil, kit.Bad("the transaction would take %d bytes", len(raw))
	}
	return raw, nil
}

// CreateAccount returns the instruction that creates a wallet's account of a
// token if it is missing.
func CreateAccount(payer, wallet solana.PublicKey, t Token) solana.Instruction {
	accounts := solana.AccountMetaSlice{
		solana.Meta(payer).WRITE().SIGNER(), solana.Meta(t.Account(wallet)).WRITE(), solana.Meta(wallet),
		solana.Meta(t.Key), solana.Meta(solana.SystemProgramID), solana.Meta(t.Owner),
	}
	return solana.NewInstruction(associatedtokenaccount.ProgramID, accounts, []byte{1})
}

// WrapSOL are the instructions that turn lamports of a wallet into wrapped SOL.
func (s *Chain) WrapSOL(wallet solana.PublicKey, lamports uint64) []solana.Instruction {
	sol := s.Token("SOL")
	return []solana.Instruction{
		CreateAccount(wallet, wallet, sol),
		system.NewTransferInstruction(lamports, wallet, sol.Account(wallet)).Build(),
		token.NewSyncNativeInstruction(sol.Account(wallet)).Build(),
	}
}

// UnwrapSOL is the instruction that turns all wrapped SOL of a wallet back.
func (s *Chain) UnwrapSOL(wallet solana.PublicKey) solana.Instruction {
	return token.NewCloseAccountInstruction(s.Token("SOL").Account(wallet), wallet, wallet, nil).Build()
}

// VaultTable is a lookup table of what a service's transactions touch: its vault, and the
// mints and the vault's accounts of some tokens.
func (s *Chain) VaultTable(name string, service play.Service, tokens []Token) solana.PublicKey {
	vault := s.Vault(service)
	keys := []solana.PublicKey{vault}
	for _, t := range tokens {
		keys = append(keys, t.Key, t.Account(vault))
	}
	return s.LookupTable(name, keys...)
}

// LookupTable puts a lookup table on the ledger, once for a name.
func (s *Chain) LookupTable(name string, keys ...solana.PublicKey) solana.PublicKey {
	address := PublicKey(s.Keypair("table " + name))
	if s.Account(address) == nil {
		s.PutTable(address, keys)
	}
	return address
}

// SignTransaction signs a transaction, in base64 or base58, with the wallet. It fills
// the wallet's slot and leaves the others as they are.
func (s *Chain) SignTransaction(text string) (transaction []byte, inBase58, signature string, err error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		raw, err = base58.Decode(text)
	}
	if err != nil {
		return nil, "", "", errors.New("sandbox: transaction is neither base64 nor base58")
	}
	tx, err := solana.TransactionFromBytes(raw)
	if err != nil {
		return nil, "", "", fmt.Errorf("sandbox: transaction cannot be read: %w", err)
	}
	at := slices.Index(tx.Message.AccountKeys, PublicKey(s.wallet))
	if at < 0 || at >= int(tx.Message.Header.NumRequiredSignatures) {
		return nil, "", "", errors.New("sandbox: the test wallet is not a signer of the transaction")
	}
	if raw, err = s.Encode(tx, []ed25519.PrivateKey{s.wallet}); err != nil {
		return nil, "", "", err
	}
	return raw, base58.Encode(raw), tx.Signatures[0].String(), nil
}
