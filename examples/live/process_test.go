package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// role makes this test binary the program itself, or a sandbox.
const role = "LIVE_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "live":
		main()
	case "sandbox":
		if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
}

// box says where the sandbox is.
type box struct {
	Lending, Key, Node, Mint, Address, Control, Token string
	Wallet                                            []int
}

// serve is a sandbox. It ends with its input, so that it does not outlive the test.
func serve() error {
	s, err := sandbox.Start(sandbox.Config{Control: &sandbox.ControlPort{}})
	if err != nil {
		return err
	}
	defer s.Close()
	b := box{
		Lending: s.URL(sandbox.Lending), Key: s.APIKey(sandbox.Lending), Node: s.URL(sandbox.RPC), Mint: s.Mint("USDC"),
		Address: s.WalletAddress(), Control: s.URL(sandbox.Control), Token: s.APIKey(sandbox.Control),
	}
	for _, octet := range s.Wallet() {
		b.Wallet = append(b.Wallet, int(octet))
	}
	if err := json.NewEncoder(os.Stdout).Encode(b); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// rig is a sandbox in a process of its own, and a folder with the files of the program.
type rig struct {
	box

	folder string
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{folder: t.TempDir()}
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), role+"=sandbox")
	child.Stderr = os.Stderr
	input, err := child.StdinPipe()
	require.NoError(t, err)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	t.Cleanup(func() {
		input.Close()
		child.Wait()
	})
	require.NoError(t, json.NewDecoder(out).Decode(&r.box))
	r.write(t, "wallet.json", r.Wallet)
	r.write(t, "live.json", settings{
		Lending: r.Lending, Mint: r.Mint, DepositType: "protected", Wallet: "wallet.json",
		Journal: "payments.journal", Pins: "pins.json", MaxFee: 100_000,
		MostPerDay: 40_000_000, MostLamportsPerDay: 50_000_000,
	})
	return r
}

func (r *rig) write(t *testing.T, name string, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(r.folder, name), text, 0o600))
}

// control calls the sandbox's control port.
func (r *rig) control(t *testing.T, method, path, body string, answer any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, r.Control+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+r.Token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Less(t, response.StatusCode, 300, "%s", text)
	if answer != nil {
		require.NoError(t, json.Unmarshal(text, answer), "%s", text)
	}
}

// mute has the node tell of no transaction until the function that it returns is called.
func (r *rig) mute(t *testing.T) (end func()) {
	t.Helper()
	var fault struct{ ID string }
	match := `{"match": {"service": "rpc", "pattern": "getSignatureStatuses"}, "fault": {"status": 503}}`
	r.control(t, "POST", "/fault", match, &fault)
	return func() { r.control(t, "POST", "/undo", `{"id": "`+fault.ID+`"}`, nil) }
}

// told is a writer that calls then once the text has come by. It embeds no buffer, whose
// ReadFrom would go past Write.
type told struct {
	said bytes.Buffer
	text string
	then func()
}

func (w *told) Write(b []byte) (int, error) {
	w.said.Write(b)
	if w.then != nil && strings.Contains(w.said.String(), w.text) {
		then := w.then
		w.then = nil
		then()
	}
	return len(b), nil
}

// run runs the program to its end. Once it has sent a transaction, it calls sent. It
// returns what the program says, its log included.
func (r *rig) run(t *testing.T, sent func(*os.Process), arguments ...string) (said string, err error) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], arguments...)
	log := &told{text: "msg=sent", then: func() {
		if sent != nil {
			sent(child.Process)
		}
	}}
	child.Dir, child.Stdout, child.Stderr = r.folder, log, log
	child.Env = append(os.Environ(), role+"=live", "LENDING_API_KEY="+r.Key, "RPC_URLS="+r.Node+"?key=hush")
	err = child.Run()
	require.NotContains(t, log.said.String(), r.Key)
	require.NotContains(t, log.said.String(), "hush")
	return log.said.String(), err
}

// says runs the program, which must succeed and say all of the words.
func (r *rig) says(t *testing.T, arguments string, words ...string) (said string) {
	t.Helper()
	said, err := r.run(t, nil, strings.Fields(arguments)...)
	require.NoError(t, err, said)
	for _, word := range words {
		require.Contains(t, said, word)
	}
	return said
}

// fails runs the program, which must fail and say the word.
func (r *rig) fails(t *testing.T, arguments, word string) {
	t.Helper()
	said, err := r.run(t, nil, strings.Fields(arguments)...)
	require.Error(t, err, said)
	require.Contains(t, said, word)
}

// ended runs the program, and sends it the signal once it has sent a transaction, of which
// no node tells before.
func (r *rig) ended(t *testing.T, with os.Signal, arguments string) (said string) {
	t.Helper()
	unmute, signalled := r.mute(t), false
	said, err := r.run(t, func(p *os.Process) { signalled = p.Signal(with) == nil }, strings.Fields(arguments)...)
	require.Error(t, err, said)
	require.True(t, signalled, said)
	unmute()
	return said
}

// left says how much has left the wallet, in smallest units.
func (r *rig) left(t *testing.T, before uint64) uint64 {
	t.Helper()
	return before - r.balance(t)
}

func (r *rig) balance(t *testing.T) uint64 {
	t.Helper()
	var answer struct{ Amount json.Number }
	r.control(t, "GET", "/ledger/token-balance?wallet="+r.Address+"&mint="+r.Mint, "", &answer)
	amount, err := answer.Amount.Int64()
	require.NoError(t, err)
	return uint64(amount)
}
