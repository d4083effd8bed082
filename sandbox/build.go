package sandbox

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"net/http"

	"github.com/gagliardetto/solana-go"
	associatedtokenaccount "github.com/gagliardetto/solana-go/programs/associated-token-account"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// unsigned says what transaction to build.
type unsigned struct {
	// owner is who asked and whose signature is wanted.
	owner solana.PublicKey
	// payer pays the fee. Zero means the owner.
	payer solana.PublicKey
	// legacy builds the format without version. False means v0.
	legacy bool
	// unitLimit and unitPrice (micro-lamports a unit) make compute-budget
	// instructions. 0 means none.
	unitLimit uint32
	unitPrice uint64
	// tables are lookup tables to load accounts from.
	tables []solana.PublicKey
	// cosigners sign now.
	cosigners []ed25519.PrivateKey
	// instructions are what it does, in order.
	instructions []solana.Instruction
}

// built is a transaction that a service answers.
type built struct {
	raw                  []byte
	Blockhash            string
	LastValidBlockHeight uint64
}

func (b built) base64() string { return base64.StdEncoding.EncodeToString(b.raw) }
func (b built) base58() string { return base58.Encode(b.raw) }

// build makes the transaction that a service answers, on a recent blockhash.
// Every transaction of every service comes from here, so that an attack can
// take the place of any.
func (s *Sandbox) build(service Service, u unsigned) (built, error) {
	if u.payer.IsZero() {
		u.payer = u.owner
	}
	var budget []solana.Instruction
	if u.unitLimit > 0 {
		budget = append(budget, computebudget.NewSetComputeUnitLimitInstruction(u.unitLimit).Build())
	}
	if u.unitPrice > 0 {
		budget = append(budget, computebudget.NewSetComputeUnitPriceInstruction(u.unitPrice).Build())
	}
	hash, last := s.chain.Blockhash(0)
	options := []solana.TransactionOption{solana.TransactionPayer(u.payer)}
	if len(u.tables) > 0 && !u.legacy {
		tables := map[solana.PublicKey]solana.PublicKeySlice{}
		for _, t := range u.tables {
			tables[t] = ledger.TableKeys(s.chain.Account(t).Data)
		}
		options = append(options, solana.TransactionAddressTables(tables))
	}
	tx, err := solana.NewTransaction(append(budget, u.instructions...), hash, options...)
	if err != nil {
		return built{}, fmt.Errorf("sandbox: building a transaction: %w", err)
	}
	if !u.legacy {
		tx.Message.SetVersion(solana.MessageVersionV0)
	}
	raw, err := s.encode(tx, u.cosigners)
	if err != nil {
		return built{}, err
	}
	if s.chain.attack != nil {
		if other := s.chain.attack(service, raw, u.owner); other != nil {
			raw = other
		}
	}
	return built{raw, hash.String(), last}, nil
}

// encode writes a transaction with the signatures that there are.
func (s *Sandbox) encode(tx *solana.Transaction, cosigners []ed25519.PrivateKey) ([]byte, error) {
	_, err := tx.PartialSign(func(key solana.PublicKey) *solana.PrivateKey {
		for _, c := range cosigners {
			if publicKey(c) == key {
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
		return nil, refuse(http.StatusBadRequest, "", "the transaction would take %d bytes", len(raw))
	}
	return raw, nil
}

// Attack makes f decide on every transaction that a service is about to
// answer: what it returns takes the honest one's place, nil leaves it. A nil f
// is honest again. The owner is whose signature is wanted. It is called amidst
// a request, so that it must not call methods of the sandbox that change or
// read its state; Wallet, WalletAddress, URL and ProgramID are free.
func (s *Sandbox) Attack(f func(service string, honest []byte, owner [32]byte) []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chain.attack = nil
	if f != nil {
		s.chain.attack = func(service Service, honest []byte, owner [32]byte) []byte {
			return f(string(service), honest, owner)
		}
	}
}

// Drain is an attack, to be given to Attack: in place of what was asked for,
// the owner's SOL goes to thief, all but what the fee takes.
func (s *Sandbox) Drain(thief string) (func(service string, honest []byte, owner [32]byte) []byte, error) {
	to, err := solana.PublicKeyFromBase58(thief)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %q is no address", thief)
	}
	return func(_ string, _ []byte, owner [32]byte) []byte {
		from := solana.PublicKey(owner)
		balance := s.chain.Balance(from)
		if balance < 5000 {
			return nil
		}
		hash, _ := s.chain.Blockhash(0)
		tx, err := solana.NewTransaction(
			[]solana.Instruction{system.NewTransferInstruction(balance-5000, from, to).Build()}, hash, solana.TransactionPayer(from))
		if err != nil {
			return nil
		}
		raw, err := s.encode(tx, nil)
		if err != nil {
			return nil
		}
		return raw
	}, nil
}

// createAccount is the instruction that makes a wallet's account of a token
// where it is missing.
func createAccount(payer, wallet solana.PublicKey, t Token) solana.Instruction {
	accounts := solana.AccountMetaSlice{
		solana.Meta(payer).WRITE().SIGNER(), solana.Meta(t.account(wallet)).WRITE(), solana.Meta(wallet),
		solana.Meta(t.key), solana.Meta(solana.SystemProgramID), solana.Meta(t.owner),
	}
	return solana.NewInstruction(associatedtokenaccount.ProgramID, accounts, []byte{1})
}

// wrapSOL are the instructions that turn lamports of a wallet into wrapped SOL.
func (s *Sandbox) wrapSOL(wallet solana.PublicKey, lamports uint64) []solana.Instruction {
	sol := s.token("SOL")
	return []solana.Instruction{
		createAccount(wallet, wallet, sol),
		system.NewTransferInstruction(lamports, wallet, sol.account(wallet)).Build(),
		token.NewSyncNativeInstruction(sol.account(wallet)).Build(),
	}
}

// unwrapSOL is the instruction that turns all wrapped SOL of a wallet back.
func (s *Sandbox) unwrapSOL(wallet solana.PublicKey) solana.Instruction {
	return token.NewCloseAccountInstruction(s.token("SOL").account(wallet), wallet, wallet, nil).Build()
}

// lookupTable puts a lookup table on the ledger, once for a name.
func (s *Sandbox) lookupTable(name string, keys ...solana.PublicKey) solana.PublicKey {
	address := publicKey(s.keypair("table " + name))
	if s.chain.Account(address) == nil {
		s.chain.PutTable(address, keys)
	}
	return address
}

// submit executes a signed transaction; see ledger.Submit. What the services
// planned for its execution happens before it returns.
func (s *Sandbox) submit(raw []byte) (*ledger.Receipt, error) { return s.chain.Submit(raw) }
