package build

import (
	"math"
	"math/big"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Token is a token of the sandbox's ledger.
type Token struct {
	play.Token
	Key   solana.PublicKey
	Owner solana.PublicKey // token program
	// Price is the price of a whole token, in millionths of a dollar.
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
	s.addToken("SOL", "Wrapped SOL", solana.WrappedSol, 150_000_000, ledger.NewMint{Decimals: 9})
	s.addToken("USDC", "USD Coin", USDCMint, 1_000_000, ledger.NewMint{Decimals: 6})
	s.addToken("USDT", "Tether USD", usdtMint, 999_800, ledger.NewMint{Decimals: 6})
	s.addToken("DUST", "Dust", dust, 3, ledger.NewMint{Decimals: 5})
	s.addToken("TAXED", "Taxed", taxed, 250_000, ledger.NewMint{
		Decimals: 6, Program: solana.Token2022ProgramID, FeeBasisPoints: 100, MaxFee: 5_000_000,
	})
}

// addToken puts a token on the ledger. price is as in Token.
func (s *Chain) addToken(symbol, name string, key solana.PublicKey, price uint64, n ledger.NewMint) {
	if n.Program.IsZero() {
		n.Program = solana.TokenProgramID
	}
	n.Authority = PublicKey(s.Keypair("mint authority"))
	s.PutMint(key, n)
	public := play.Token{
		Mint: key.String(), Symbol: symbol, Name: name, Decimals: n.Decimals, Program: n.Program.String(),
	}
	s.Tokens = append(s.Tokens, Token{Token: public, Key: key, Owner: n.Program, Price: price})
}

// Token returns the token with a symbol.
func (s *Chain) Token(symbol string) Token {
	return kit.Find(s.Tokens, func(t Token) bool { return t.Symbol == symbol })
}

// TokenByMint returns the token with a mint.
func (s *Chain) TokenByMint(mint string) (Token, bool) {
	t := kit.Find(s.Tokens, func(t Token) bool { return t.Mint == mint })
	return t, t.Mint != ""
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
	return Capped(n)
}

// Share is amount x part / whole, rounded down, the largest uint64 at most.
func Share(amount, part, whole uint64) uint64 {
	n := new(big.Int).SetUint64(amount)
	n.Mul(n, new(big.Int).SetUint64(part)).Quo(n, new(big.Int).SetUint64(whole))
	return Capped(n)
}

// Capped is a number that is not negative, or the largest uint64 if it is larger.
func Capped(n *big.Int) uint64 {
	if !n.IsUint64() {
		return math.MaxUint64
	}
	return n.Uint64()
}

// TenTo is a power of ten.
func TenTo(n uint8) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// Status returns the commitment of a transaction ("processed", "confirmed" or
// "finalized") and its receipt, or "" and nil if it has not landed.
func (s *Chain) Status(signature solana.Signature) (string, *ledger.Receipt) {
	r := s.Receipt(signature)
	if r == nil {
		return "", nil
	}
	for _, c := range []string{"finalized", "confirmed"} {
		if r.Slot+s.Lag(c) <= s.CurrentSlot() {
			return c, r
		}
	}
	return "processed", r
}

// Holding is how much of a token a wallet's associated account holds.
func (s *Chain) Holding(wallet solana.PublicKey, t Token) uint64 {
	account, ok := ledger.AsToken(s.Account(t.Account(wallet)))
	if !ok {
		return 0
	}
	return account.Amount()
}

// SignatureStatus is how a node describes a transaction that landed.
func SignatureStatus(commitment string, slot uint64, r *ledger.Receipt) any {
	status := map[string]any{
		"slot":               r.Slot,
		"confirmations":      min(slot-r.Slot, kit.Finality),
		"err":                nil,
		"status":             map[string]any{"Ok": nil},
		"confirmationStatus": commitment,
	}
	if commitment == "finalized" {
		status["confirmations"] = nil
	}
	if r.Err != nil {
		status["err"], status["status"] = r.Err, map[string]any{"Err": r.Err}
	}
	return status
}
