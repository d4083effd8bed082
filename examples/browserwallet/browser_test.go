package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

const (
	// browserRequired has the test run, for which Chromium must be there.
	browserRequired = "BROWSERWALLET_BROWSER"
	patience        = 3 * time.Minute
)

// told has what a user saw.
type told struct{ Name, State, Says, Report string }

// TestBrowserWallets has a real browser pay by a wallet that the test adds to it: honest, changing,
// refusing, late, and sending by itself.
func TestBrowserWallets(t *testing.T) {
	if os.Getenv(browserRequired) == "" {
		t.Log("not run: " + browserRequired + " is not set")
		return
	}
	r := newRig(t)
	before := r.box.Ledger().TokenBalance(r.address, r.box.Mint("USDC"))
	all := r.browse(t)
	want := map[string]told{
		"signIn":    {State: r.address},
		"honest":    {State: "confirmed"},
		"replay":    {State: "replayed"},
		"budget":    {State: "confirmed", Says: "the compute unit price in micro-lamports was"},
		"drain":     {State: "changed", Says: "an instruction"},
		"assertion": {State: "changed", Says: "simulation"}, // the sandbox's ledger has no such program
		"another":   {State: "signedByAnother", Says: "not its own"},
		"sends":     {State: "confirmed"},
		"late":      {State: "expired"},
		"refusing":  {State: "declined"},
	}
	require.Len(t, all, len(want), "%v", all)
	for _, saw := range all {
		t.Run(saw.Name, func(t *testing.T) {
			require.Equal(t, want[saw.Name].State, saw.State, saw.Says)
			require.Contains(t, saw.Says, want[saw.Name].Says)
			if saw.Report != "" {
				require.Contains(t, saw.Report, "25000000")
			}
		})
	}
	t.Run("paid once each", func(t *testing.T) {
		paid := before - r.box.Ledger().TokenBalance(r.address, r.box.Mint("USDC"))
		require.EqualValues(t, 3*25_000_000, paid, "honest, budget and sends")
		require.Zero(t, r.box.Ledger().Balance(solana.PublicKey{7}.String()), "the thief's")
	})
}

// rig is a backend, and the device that has the user's key.
type rig struct {
	box     *sandbox.Sandbox
	backend *backend
	key     *signing.LocalKey
	address string
	server  *httptest.Server
	done    chan []told
	over    context.Context
	hurries atomic.Bool
}

func newRig(t *testing.T) *rig {
	t.Helper()
	box, err := sandbox.Start(sandbox.Config{InstantConfirmation: true, NoLimits: true})
	require.NoError(t, err)
	t.Cleanup(box.Close)
	key, err := signing.NewLocalKey(box.Wallet())
	require.NoError(t, err)
	r := &rig{box: box, key: key, address: box.WalletAddress(), done: make(chan []told, 1)}
	mux := http.NewServeMux()
	r.server = httptest.NewServer(mux)
	t.Cleanup(r.server.Close)
	r.backend, err = newBackend(box, r.server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(r.backend.close)
	over, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	r.over = over
	page := r.backend.handler()
	mux.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/api/payments" {
			r.hurries.Store(false) // the next one has its time
		}
		page.ServeHTTP(w, q)
	})
	mux.HandleFunc("GET /with-wallet", func(w http.ResponseWriter, q *http.Request) { r.inject(w, q, page) })
	mux.Handle("GET /test/", http.StripPrefix("/test/", http.FileServer(http.Dir("testdata"))))
	mux.HandleFunc("POST /test/account", func(w http.ResponseWriter, _ *http.Request) {
		key := r.key.PublicKey()
		answer(w, http.StatusOK, map[string]any{"address": r.address, "publicKey": key[:]})
	})
	mux.HandleFunc("POST /test/message", r.signMessage)
	mux.HandleFunc("POST /test/transaction", r.signTransaction)
	mux.HandleFunc("POST /test/done", func(w http.ResponseWriter, q *http.Request) {
		var all []told
		if read(w, q, &all) {
			r.done <- all
		}
	})
	return r
}

// inject serves the page as a browser with a wallet has it.
func (r *rig) inject(w http.ResponseWriter, q *http.Request, page http.Handler) {
	recorded, asked := httptest.NewRecorder(), q.Clone(q.Context())
	asked.URL.Path, asked.Pattern = "/", ""
	page.ServeHTTP(recorded, asked)
	for name, values := range recorded.Header() {
		if name != "Content-Length" {
			w.Header()[name] = values
		}
	}
	scripts := `<script src="/test/wallet.js" type="module"></script><script src="/test/drive.js" type="module"></script></html>`
	_, _ = w.Write(bytes.ReplaceAll(recorded.Body.Bytes(), []byte("</html>"), []byte(scripts)))
}

// browse has a browser go through the page.
func (r *rig) browse(t *testing.T) []told {
	t.Helper()
	folder, err := os.MkdirTemp("", "browserwallet")
	require.NoError(t, err)
	ctx, stop := context.WithTimeout(t.Context(), patience)
	browser := exec.CommandContext(ctx, "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
		"--disable-dev-shm-usage", "--no-first-run", "--user-data-dir="+folder, r.server.URL+"/with-wallet")
	var log bytes.Buffer
	browser.Stdout, browser.Stderr = &log, &log
	browser.WaitDelay = 5 * time.Second
	require.NoError(t, browser.Start())
	defer func() {
		stop()
		_ = browser.Wait()
		_ = os.RemoveAll(folder)
	}()
	select {
	case all := <-r.done:
		return all
	case <-ctx.Done():
		t.Fatalf("the browser came to no end: %s", log.String())
		return nil
	}
}

func (r *rig) signMessage(w http.ResponseWriter, q *http.Request) {
	var asked struct{ Message []byte }
	if !read(w, q, &asked) {
		return
	}
	s, err := r.key.Sign(q.Context(), asked.Message)
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, http.StatusOK, map[string][]byte{"signature": s[:]})
}

// signTransaction does with a transaction as the wallet's device would, by its mode.
func (r *rig) signTransaction(w http.ResponseWriter, q *http.Request) {
	var asked struct {
		Mode        string
		Transaction []byte
	}
	if !read(w, q, &asked) {
		return
	}
	signed, err := r.signed(q.Context(), asked.Mode, asked.Transaction)
	if err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	answer(w, http.StatusOK, map[string][]byte{"signed": signed})
}

var errNo = errors.New("the user says no")

func (r *rig) signed(ctx context.Context, mode string, raw []byte) ([]byte, error) {
	if mode == "refusing" {
		return nil, errNo
	}
	tx, err := solana.TransactionFromBytes(raw)
	if err != nil {
		return nil, err
	}
	owner := solana.MustPublicKeyFromBase58(r.address)
	switch mode {
	case "budget":
		raisePrice(&tx.Message)
	case "assertion":
		addCall(&tx.Message, solana.MustPublicKeyFromBase58(lighthouse), []byte{5, 0, 0}, 0)
	case "drain":
		tx, err = solana.NewTransaction([]solana.Instruction{
			system.NewTransferInstruction(9_000_000_000, owner, solana.PublicKey{7}).Build(),
		}, tx.Message.RecentBlockhash, solana.TransactionPayer(owner))
		if err != nil {
			return nil, err
		}
		tx.Message.SetVersion(solana.MessageVersionV0)
		tx.Signatures = make([]solana.Signature, 1)
	case "late":
		r.box.Advance(2 * time.Minute)
		r.hurries.Store(true)
		go r.hurry()
	}
	if raw, err = tx.MarshalBinary(); err != nil {
		return nil, err
	}
	signed, err := signing.DecodeBytes(raw)
	if err != nil {
		return nil, err
	}
	if err := signing.SignUnchecked(ctx, signed, r.key); err != nil {
		return nil, err
	}
	switch mode {
	case "another":
		other, err := signing.GenerateLocalKey()
		if err != nil {
			return nil, err
		}
		s, err := other.Sign(ctx, signed.Message())
		if err != nil {
			return nil, err
		}
		copy(raw[1:], s[:])
		return raw, nil
	case "sends":
		return nil, errors.Join(errNo, r.send(ctx, signed.Signed()))
	}
	return signed.Bytes(), nil
}

// send sends without the page.
func (r *rig) send(ctx context.Context, signed walletfi.Signed) error {
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(r.box.URL(sandbox.RPC))})
	if err == nil {
		_, err = node.Submit(ctx, signed)
	}
	return err
}

// hurry moves the ledger's time, so that the end of a blockhash need not be waited for.
func (r *rig) hurry() {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for r.hurries.Load() {
		select {
		case <-r.over.Done():
			return
		case <-tick.C:
			r.box.Advance(time.Second)
		}
	}
}

// raisePrice offers more for a compute unit, as wallets do.
func raisePrice(m *solana.Message) {
	const price = 3
	for _, call := range m.Instructions {
		budget := m.AccountKeys[call.ProgramIDIndex] == solana.PublicKey(signing.ComputeBudgetProgram)
		if budget && call.Data[0] == price {
			call.Data[1]++
		}
	}
}

// addCall adds a call of a program that the message does not call, as wallets do. The accounts of
// lookup tables come after its static ones.
func addCall(m *solana.Message, program solana.PublicKey, data []byte, accounts ...uint16) {
	at := uint16(len(m.AccountKeys))
	for _, call := range m.Instructions {
		for i, n := range call.Accounts {
			if n >= at {
				call.Accounts[i]++
			}
		}
	}
	m.AccountKeys = append(m.AccountKeys, program)
	m.Header.NumReadonlyUnsignedAccounts++
	m.Instructions = append(m.Instructions, solana.CompiledInstruction{
		ProgramIDIndex: at, Accounts: accounts, Data: data,
	})
}

// post posts as a page does.
func (r *rig) post(t *testing.T, client *http.Client, path string, body any, header ...string) (int, map[string]any) {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.server.URL+path, bytes.NewReader(text))
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	response, err := client.Do(q)
	require.NoError(t, err)
	defer response.Body.Close()
	var told map[string]any
	_ = json.NewDecoder(response.Body).Decode(&told)
	return response.StatusCode, told
}
