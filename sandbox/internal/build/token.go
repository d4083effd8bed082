package build

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

	Key   solana.PublicKey
	Owner solana.PublicKey // token program
	// Price is what a whole token is worth, in millionths of a dollar.
	Price uint64
}

// The mints that keep their mainnet addresses.
var (
	USDCMint = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	usdtMint = solana.MustPublicKeyFromBase58("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")
)

// openTokens makes the mints.
func (s *Chain) openTokens() {
	dust := PublicKey(s.Keypair("mint DUST"))
	taxed := PublicKey(s.Keypair("mint TAXED"))
	s.addToken(Token{Symbol: "SOL", Name: "Wrapped SOL", Decimals: 9, Key: solana.WrappedSol, Price: 150_000_000}, ledger.NewMint{})
	s.addToken(Token{Symbol: "USDC", Name: "USD Coin", Decimals: 6, Key: USDCMint, Price: 1_000_000}, ledger.NewMint{})
	s.addToken(Token{Symbol: "USDT", Name: "Tether USD", Decimals: 6, Key: usdtMint, Price: 999_800}, ledger.NewMint{})
	s.addToken(Token{Symbol: "DUST", Name: "Dust", Decimals: 5, Key: dust, Price: 3}, ledger.NewMint{})
	s.addToken(Token{Symbol: "TAXED", Name: "Taxed", Decimals: 6, Key: taxed, Owner: solana.Token2022ProgramID, Price: 250_000},
		ledger.NewMint{FeeBasisPoints: 100, MaxFee: 5_000_000})
}

// addToken puts a token on the ledger.
func (s *Chain) addToken(t Token, n ledger.NewMint) {
	if t.Owner.IsZero() {
		t.Owner = solana.TokenProgramID
	}
	t.Mint, t.Program = t.Key.String(), t.Owner.String()
	n.Decimals, n.Program, n.Authority = t.Decimals, t.Owner, PublicKey(s.Keypair("mint authority"))
	s.PutMint(t.Key, n)
	s.Tokens = append(s.Tokens, t)
}

// Token returns the token with a symbol.
func (s *Chain) Token(symbol string) Token {
	for _, t := range s.Tokens {
		if t.Symbol == symbol {
			return t
		}
	}
	return Token{}
}

// TokenByMint returns the token with a mint.
func (s *Chain) TokenByMint(mint string) (Token, bool) {
	for _, t := range s.Tokens {
		if t.Mint == mint {
			return t, true
		}
	}
	return Token{}, false
}

// Account is a wallet's associated account of the token.
func (t Token) Account(wallet solana.PublicKey) solana.PublicKey {
	return ledger.Associated(wallet, t.Key, t.Owner)
}

// Worth converts an amount of one token into another at the market price,
// before fees. Both are in smallest units. The result is rounded down and
// capped at the largest uint64.
func Worth(from Token, amount uint64, to Token) uint64 {
	n := new(big.Int).SetUint64(amount)
	n.Mul(n, new(big.Int).SetUint64(from.Price)).Mul(n, TenTo(to.Decimals))
	n.Quo(n, new(big.Int).Mul(new(big.Int).SetUint64(to.Price), TenTo(from.Decimals)))
	if !n.IsUint64() {
		return 1<<64 - 1
	}
	return n.Uint64()
}

// TenTo is a power of ten.
func TenTo(n uint8) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}
