package sandbox

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"
)

// What the control port does where a method has no form in JSON, or where there
// is no method.

// routeHits is how many requests a route has had.
type routeHits struct {
	Route Route
	Count int
}

func hits(s *Sandbox) (all []routeHits) {
	for r, n := range s.Hits() {
		all = append(all, routeHits{r, n})
	}
	slices.SortFunc(all, func(a, b routeHits) int { return strings.Compare(a.Route.String(), b.Route.String()) })
	return all
}

func advanceUntil(s *Sandbox, t time.Time) error {
	by := t.Sub(s.Now())
	if by < 0 {
		return fmt.Errorf("sandbox: it is past %s already: %s", t.Format(time.RFC3339), s.Now().Format(time.RFC3339))
	}
	s.Advance(by)
	return nil
}

func replaceAll(s *Sandbox, transaction []byte) {
	s.Attack(func(string, []byte, [32]byte) []byte { return transaction })
}

func drain(s *Sandbox, thief string) error {
	attack, err := Drain(s, thief)
	if err == nil {
		s.Attack(attack)
	}
	return err
}

func stopAttack(s *Sandbox) { s.Attack(nil) }

// wallet is the wallet's key as a Solana key file has it.
func wallet(s *Sandbox) (keypair []int) {
	for _, b := range s.Wallet() {
		keypair = append(keypair, int(b))
	}
	return keypair
}

func sessionKeyMessage(_ *Sandbox, instructions json.RawMessage) (message []byte, err error) {
	return SessionKeyMessage(instructions)
}

// signTransaction fills the wallet's slot and leaves the others as they are.
func signTransaction(s *Sandbox, text string) (transaction []byte, inBase58, signature string, err error) {
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
	owner := solana.PublicKeyFromBytes(s.Wallet().Public().(ed25519.PublicKey))
	if at := slices.Index(tx.Message.AccountKeys, owner); at < 0 || at >= int(tx.Message.Header.NumRequiredSignatures) {
		return nil, "", "", errors.New("sandbox: the test wallet is not a signer of the transaction")
	}
	if _, err := tx.PartialSign(func(key solana.PublicKey) *solana.PrivateKey {
		if key == owner {
			return new(solana.PrivateKey(s.Wallet()))
		}
		return nil
	}); err != nil {
		return nil, "", "", fmt.Errorf("sandbox: signing: %w", err)
	}
	if raw, err = tx.MarshalBinary(); err != nil {
		return nil, "", "", fmt.Errorf("sandbox: encoding the transaction: %w", err)
	}
	return raw, base58.Encode(raw), tx.Signatures[0].String(), nil
}

func signMessage(s *Sandbox, message []byte) (signature []byte) {
	return ed25519.Sign(s.Wallet(), message)
}

// The handle of a node's WebSocket is told by the node's number.

func socketURL(l LedgerHandle, i int) string { return l.NodeSocket(i).URL() }

func socketTrouble(l LedgerHandle, i int, trouble NodeSocketTrouble) {
	l.NodeSocket(i).Trouble(trouble)
}

func socketDrop(l LedgerHandle, i int) int { return l.NodeSocket(i).Drop() }

func socketSilence(l LedgerHandle, i int) int { return l.NodeSocket(i).Silence() }

func socketWatching(l LedgerHandle, i int) int { return l.NodeSocket(i).Watching() }

// closeFor closes the sandbox in the name of the control port.
func (s *Sandbox) closeFor(c ControlPort) {
	s.Close()
	if c.Closed != nil {
		c.Closed()
	}
}

// serviceInfo is what a program needs to call a service.
type serviceInfo struct {
	Service Service
	Host    string // of an additional address, empty for the main one
	URL     string
	Key     string // empty if the service takes none
	Header  string // in which the key goes; a bearer token has the word Bearer before it
	Program string // to pin in a guard
}

// walletInfo is the test wallet. Its key has money on the sandbox's ledger alone.
type walletInfo struct {
	Address string
	Keypair []int
}

// controlInfo is the control port.
type controlInfo struct {
	URL     string
	Token   string
	OpenAPI string
}

func info(s *Sandbox) (services []serviceInfo, tokens []Token, w walletInfo, c controlInfo, templates []string) {
	headers := map[Service]string{ProviderSwap: "X-API-KEY", SmartAccount: "Authorization", SocialSearch: "Authorization", Webhooks: "Authorization", OnchainData: "x-demo-api-key"}
	for _, name := range Services() {
		header, ok := headers[name]
		if !ok {
			header = "x-api-key"
		}
		if name == AMM {
			header = ""
		}
		key := s.APIKey(name)
		if header == "" {
			key = ""
		}
		services = append(services, serviceInfo{name, "", s.URL(name), key, http.CanonicalHeaderKey(header), s.ProgramID(name)})
	}
	services = append(services,
		serviceInfo{Service: AMM, Host: "data", URL: s.AMM().DataURL()},
		serviceInfo{Service: PredictMeta, Host: "feed", URL: s.PredictMeta().WSURL() + "/ws"},
		serviceInfo{Service: OnchainData, Host: "pro", URL: s.OnchainData().ProURL(), Key: s.APIKey(OnchainData), Header: "X-Pro-Api-Key"},
		serviceInfo{Service: RPC, URL: s.URL(RPC)},
	)
	return services, s.Ledger().Tokens(), walletInfo{s.WalletAddress(), wallet(s)},
		controlInfo{s.URL(Control), s.APIKey(Control), s.URL(Control) + "/openapi.json"},
		[]string{LedgerWalletFilter, UTXOWalletFilter}
}
