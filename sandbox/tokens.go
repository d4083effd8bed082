package sandbox

import (
	"math/big"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// Token is a token of the sandbox's ledger.
type Token struct {
	Mint     string // base58
	Symbol   string
	Name     string
	Decimals uint8
	Program  string // the token program that it belongs to, base58

	key   solana.PublicKey
	owner solana.PublicKey // token program
	// price is what a whole token is worth, in millionths of a dollar.
	price uint64
}

// The mints that have the addresses that everybody knows.
var (
	usdcMint = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	usdtMint = solana.MustPublicKeyFromBase58("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")
)

// openTokens makes the mints.
func (s *Sandbox) openTokens() {
	dust := publicKey(s.keypair("mint DUST"))
	taxed := publicKey(s.keypair("mint TAXED"))
	s.addToken(Token{Symbol: "SOL", Name: "Wrapped SOL", Decimals: 9, key: solana.WrappedSol, price: 150_000_000}, ledger.NewMint{})
	s.addToken(Token{Symbol: "USDC", Name: "USD Coin", Decimals: 6, key: usdcMint, price: 1_000_000}, ledger.NewMint{})
	s.addToken(Token{Symbol: "USDT", Name: "Tether USD", Decimals: 6, key: usdtMint, price: 999_800}, ledger.NewMint{})
	s.addToken(Token{Symbol: "DUST", Name: "Dust", Decimals: 5, key: dust, price: 3}, ledger.NewMint{})
	s.addToken(Token{Symbol: "TAXED", Name: "Taxed", Decimals: 6, key: taxed, owner: solana.Token2022ProgramID, price: 250_000},
		ledger.NewMint{FeeBasisPoints: 100, MaxFee: 5_000_000})
}

// addToken puts a token on the ledger.
func (s *Sandbox) addToken(t Token, n ledger.NewMint) {
	if t.owner.IsZero() {
		t.owner = solana.TokenProgramID
	}
	t.Mint, t.Program = t.key.String(), t.owner.String()
	n.Decimals, n.Program, n.Authority = t.Decimals, t.owner, publicKey(s.keypair("mint authority"))
	s.chain.PutMint(t.key, n)
	s.chain.tokens = append(s.chain.tokens, t)
}

// Tokens returns the tokens that the services know: SOL (wrapped), USDC, USDT,
// DUST (worth next to nothing), TAXED (a Token-2022 mint that withholds 1 % of
// each transfer), and what services added.
func (s *Sandbox) Tokens() []Token {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Token(nil), s.chain.tokens...)
}

// Mint returns the mint of the token with a symbol, base58, empty where there
// is none.
func (s *Sandbox) Mint(symbol string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.token(symbol).Mint
}

// token returns the token with a symbol.
func (s *Sandbox) token(symbol string) Token {
	for _, t := range s.chain.tokens {
		if t.Symbol == symbol {
			return t
		}
	}
	return Token{}
}

// tokenByMint returns the token with a mint.
func (s *Sandbox) tokenByMint(mint string) (Token, bool) {
	for _, t := range s.chain.tokens {
		if t.Mint == mint {
			return t, true
		}
	}
	return Token{}, false
}

// account is a wallet's associated account of the token.
func (t Token) account(wallet solana.PublicKey) solana.PublicKey {
	return ledger.Associated(wallet, t.key, t.owner)
}

// worth is what an amount of one token is worth in another, both in smallest
// units, rounded down: the market price, before any fee. A result beyond
// uint64 is its largest value.
func worth(from Token, amount uint64, to Token) uint64 {
	n := new(big.Int).SetUint64(amount)
	n.Mul(n, new(big.Int).SetUint64(from.price)).Mul(n, tenTo(to.Decimals))
	n.Quo(n, new(big.Int).Mul(new(big.Int).SetUint64(to.price), tenTo(from.Decimals)))
	if !n.IsUint64() {
		return 1<<64 - 1
	}
	return n.Uint64()
}

func tenTo(n uint8) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}
