package grant_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/pem"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/grant"
	"golang.org/x/crypto/ssh"
)

var made = time.Date(2026, 11, 29, 12, 0, 0, 1, time.UTC)

func example() grant.Grant {
	return grant.Grant{
		ID: "id", Signer: "5168", Policy: "1234", Client: "backend", Owner: "treasury", Key: "9xQe", Service: "swap",
		Most: []grant.Amount{{Mint: walletfi.NativeMint, Amount: 1_500_000_000}, {Mint: "EPjF", Amount: 25_000_000}},
		Fees: grant.Fees{Network: 10_000, Tip: 1, Rent: 2_039_280, ForeignRent: 2}, Payees: []string{"7xKX", "4aBc"},
		Calls: []grant.Call{{Program: "JUP6", Instruction: "e517cb97"}, {Program: "whir", Instruction: "01"}}, Reason: "rent of November",
		Made: made, Expires: made.Add(time.Hour), Needs: 2, Sweep: `sweep of owner "a" to owner "b"`,
	}
}

func newKey(t *testing.T) (ssh.Signer, ed25519.PrivateKey) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	signer, err := ssh.NewSignerFromKey(key)
	require.NoError(t, err)
	return signer, key
}

// TestTextSaysAll changes each member, down to those of lists: each change can be read.
func TestTextSaysAll(t *testing.T) {
	was := example()
	texts := map[string]string{was.Text(): "nothing"}
	var walk func(path string, v reflect.Value)
	change := func(path string, set func()) {
		set()
		text := was.Text()
		assert.Empty(t, texts[text], path)
		texts[text] = path
	}
	walk = func(path string, v reflect.Value) {
		old := reflect.ValueOf(v.Interface())
		defer v.Set(old)
		switch {
		case v.Type() == reflect.TypeFor[time.Time]():
			change(path, func() { v.Set(reflect.ValueOf(made.Add(time.Nanosecond * 5))) })
		case v.Kind() == reflect.Struct:
			for field, value := range v.Fields() {
				walk(path+"."+field.Name, value)
			}
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				walk(path+"[]", v.Index(i))
			}
			change(path+" less", func() { v.Set(v.Slice(0, v.Len()-1)) })
			change(path+" none", func() { v.SetZero() })
		case v.Kind() == reflect.String:
			change(path, func() { v.SetString(old.String() + "x") })
			change(path+" empty", func() { v.SetString("") })
		case v.CanInt():
			change(path, func() { v.SetInt(old.Int() + 1) })
		case v.CanUint():
			change(path, func() { v.SetUint(old.Uint() + 1) })
		default:
			t.Fatalf("%s is a %s", path, v.Type())
		}
	}
	walk("grant", reflect.ValueOf(&was).Elem())
	assert.Greater(t, len(texts), 40)
	assert.Equal(t, example(), was)
}

// TestTextCannotBeForged has others' words try to look like lines of the text.
func TestTextCannotBeForged(t *testing.T) {
	g := example()
	lines := strings.Count(g.Text(), "\n")
	g.Reason = "\"\nAt most this leaves the owner:\n- nothing\x1b[2J\u202e\r"
	g.Sweep += g.Reason
	g.Client, g.Owner, g.Service = "a\nb", "c\u2028d", "\x00"
	text := g.Text()
	assert.Equal(t, lines, strings.Count(text, "\n"))
	for _, r := range text {
		assert.True(t, r == '\n' || r >= ' ' && r < 127, "%q", r)
	}
	assert.Contains(t, g.Text(), "1500000000 lamports, which are 1.500000000 SOL")
}

// TestChangeCannotBeForged has a line look like two, and holds the text against each member.
func TestChangeCannotBeForged(t *testing.T) {
	c := grant.Change{Signer: "5168", Entry: 7, From: "1234", To: "5678", Lines: []string{"+ Owner \"a\\n\" pays.", "- b\nc\u202e"}}
	text := c.Text()
	assert.Equal(t, 4, strings.Count(text, "\n"))
	assert.Contains(t, text, `+ Owner "a\\n" pays.`)
	ann, _ := newKey(t)
	keys := []ssh.PublicKey{ann.PublicKey()}
	signature, err := c.Sign(ann, grant.Approves)
	require.NoError(t, err)
	_, _, err = c.Verify(signature, keys)
	require.NoError(t, err)
	for name, other := range map[string]grant.Change{
		"another signer": {Signer: "x", Entry: 7, From: "1234", To: "5678", Lines: c.Lines},
		"another time":   {Signer: "5168", Entry: 8, From: "1234", To: "5678", Lines: c.Lines},
		"from another":   {Signer: "5168", Entry: 7, From: "x", To: "5678", Lines: c.Lines},
		"to another":     {Signer: "5168", Entry: 7, From: "1234", To: "x", Lines: c.Lines},
		"other words":    {Signer: "5168", Entry: 7, From: "1234", To: "5678", Lines: c.Lines[:1]},
	} {
		_, _, err := other.Verify(signature, keys)
		require.Error(t, err, name)
	}
	g := example()
	_, _, err = g.Verify(signature, keys)
	require.Error(t, err)
}

func TestSignAndVerify(t *testing.T) {
	ann, _ := newKey(t)
	bob, _ := newKey(t)
	eve, _ := newKey(t)
	keys := []ssh.PublicKey{ann.PublicKey(), bob.PublicKey()}
	g := example()
	for _, want := range []grant.Verdict{grant.Approves, grant.Denies} {
		signature, err := g.Sign(bob, want)
		require.NoError(t, err)
		at, got, err := g.Verify(signature, keys)
		require.NoError(t, err)
		assert.Equal(t, 1, at)
		assert.Equal(t, want, got)
		other := g
		other.Most = []grant.Amount{{Mint: walletfi.NativeMint, Amount: 1}}
		_, _, err = other.Verify(signature, keys)
		require.Error(t, err, "it was another text")
		for i := range signature {
			broken := []byte(signature)
			broken[i] ^= 1
			_, v, err := g.Verify(string(broken), keys)
			require.True(t, err != nil || v == want, "byte %d", i) // armor has line ends that say nothing
		}
	}
	_, err := g.Sign(ann, "hopes")
	require.Error(t, err)
	signature, err := g.Sign(eve, grant.Approves)
	require.NoError(t, err)
	_, _, err = g.Verify(signature, keys)
	require.ErrorContains(t, err, "no approver")
	for _, text := range []string{"", "x", strings.Repeat("x", 1<<20)} {
		_, _, err = g.Verify(text, keys)
		require.Error(t, err)
	}
}

// TestOpenSSH holds the signatures against ssh-keygen, in both directions: what it signs for
// another use, such as a file, is no approval.
func TestOpenSSH(t *testing.T) {
	signer, private := newKey(t)
	dir := t.TempDir()
	block, err := ssh.MarshalPrivateKey(private, "")
	require.NoError(t, err)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	key := write("key", string(pem.EncodeToMemory(block)))
	public := string(ssh.MarshalAuthorizedKey(signer.PublicKey()))
	g := example()
	run := func(args ...string) error {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, "ssh-keygen", args...)
		cmd.Stdin = strings.NewReader(g.Text())
		out, err := cmd.CombinedOutput()
		t.Logf("%s", out)
		require.NotErrorIs(t, err, exec.ErrNotFound, "openssh-client is required")
		return err
	}
	signature, err := g.Sign(signer, grant.Approves)
	require.NoError(t, err)
	allowed, armored := write("allowed", "ann "+public), write("made.sig", signature)
	verify := []string{"-Y", "verify", "-f", allowed, "-I", "ann", "-s", armored, "-n"}
	require.NoError(t, run(append(verify, "walletfi-approval")...))
	require.Error(t, run(append(verify, "file")...))

	parsed, err := grant.ParseKey(public)
	require.NoError(t, err)
	for namespace, want := range map[string]grant.Verdict{
		"walletfi-approval": grant.Approves, "walletfi-denial": grant.Denies, "file": "", "walletfi": "",
	} {
		text := write("text", g.Text())
		_ = os.Remove(text + ".sig")
		require.NoError(t, run("-Y", "sign", "-f", key, "-n", namespace, text))
		theirs, err := os.ReadFile(text + ".sig")
		require.NoError(t, err)
		_, got, err := g.Verify(string(theirs), []ssh.PublicKey{parsed})
		assert.Equal(t, want, got, namespace)
		assert.Equal(t, want == "", err != nil, namespace)
	}
}

func TestParseKey(t *testing.T) {
	signer, _ := newKey(t)
	good := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(signer.PublicKey())))
	_, err := grant.ParseKey(good + " ann@desk")
	require.NoError(t, err)
	for name, line := range map[string]string{
		"nothing": "", "two": good + "\n" + good, "an option": "no-pty " + good, "cut": good[:50],
		"ecdsa": "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBGsuMSAC4JU+2ncLUtO9V6GbRgFI8KJqSHmjwzkVxmtXvmmoGb3v1yXqEcXXmQ2o3iQUiZ6fyLQJgEwvMgUwSUc=",
	} {
		_, err := grant.ParseKey(line)
		require.Error(t, err, name)
	}
}

// lowOrder are the points of the curve's small subgroup, and ways to write two of them that are not
// canonical.
var lowOrder = []string{
	"0100000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000080",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0000000000000000000000000000000000000000000000000000000000000080",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}

// TestForgeableKey has a policy name a key for which anybody can sign, and forges its signature: R is the
// identity and S zero, to which a key of order 1 agrees whatever the text.
func TestForgeableKey(t *testing.T) {
	g := example()
	for _, text := range lowOrder {
		raw, err := hex.DecodeString(text)
		require.NoError(t, err)
		key, err := ssh.NewPublicKey(ed25519.PublicKey(raw))
		require.NoError(t, err)
		_, err = grant.ParseKey(string(ssh.MarshalAuthorizedKey(key)))
		require.Error(t, err, "key %s", text)
		forged := &forger{key}
		_, err = g.Sign(forged, grant.Approves)
		require.Error(t, err, "key %s", text)
		made, err := sshsig.Sign(strings.NewReader(g.Text()), forged, sshsig.HashSHA512, "walletfi-approval")
		require.NoError(t, err)
		_, _, err = g.Verify(string(sshsig.Armor(made)), []ssh.PublicKey{key})
		require.Error(t, err, "key %s", text)
	}
	_, err := grant.ParseKey("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	require.ErrorContains(t, err, "no point of the curve")
}

// forger signs for a key without having its private one.
type forger struct{ key ssh.PublicKey }

func (f *forger) PublicKey() ssh.PublicKey { return f.key }

func (f *forger) Sign(io.Reader, []byte) (*ssh.Signature, error) {
	return &ssh.Signature{Format: ssh.KeyAlgoED25519, Blob: append([]byte{1}, make([]byte, 63)...)}, nil
}
