package program

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// approving are the flags of approve.
type approving struct {
	agent, key, from, signature string
	deny                        bool
}

func newApprove() *cobra.Command {
	var f approving
	const short = "Read a grant, and approve or deny it with a key of an OpenSSH agent"
	c := newCommand("approve ID", short, cobra.ExactArgs(1), f.run)
	f.flags(c)
	c.Flags().BoolVar(&f.deny, "deny", false, "deny it")
	const from = "read it from a file that grants wrote, and print the signature: the signer is not asked"
	c.Flags().StringVar(&f.from, "from", "", from)
	c.Flags().StringVar(&f.signature, "signature", "", "hand in a signature that --from printed, from a file")
	return c
}

func (f *approving) flags(c *cobra.Command) {
	const socket = "the socket of the agent that holds the approver's key"
	c.Flags().StringVar(&f.agent, "agent", os.Getenv("SSH_AUTH_SOCK"), socket)
	c.Flags().StringVar(&f.key, "key", "", "the .pub file of the approver's key, if the agent holds several")
}

// newApprovePolicy signs the change of a policy. It asks the signer for nothing but what health says,
// which the flags can say too.
func newApprovePolicy() *cobra.Command {
	var f approving
	var log string
	var entry int64
	const short = "Read what another policy changes, and sign that with a key of an OpenSSH agent"
	c := newCommand("approve-policy FILE NEXT", short, cobra.ExactArgs(2), func(c *cobra.Command, files []string) error {
		was, err := signer.LoadPolicy(files[0])
		if err != nil {
			return err
		}
		next, err := signer.LoadPolicy(files[1])
		if err != nil {
			return err
		}
		health := signer.Health{Log: log, Changed: entry, Policy: was.Fingerprint()}
		if log == "" || entry == 0 {
			if err := on(c).Get(c.Context(), protocol.PathHealth, &health); err != nil {
				return err
			}
		}
		if health.Policy != was.Fingerprint() {
			return fmt.Errorf("%s is not the signer's policy, which is %.12s", files[0], health.Policy)
		}
		change := grant.Change{
			Signer: health.Log, Entry: health.Changed, From: was.Fingerprint(), To: next.Fingerprint(), Lines: was.Diff(next),
		}
		signature, err := f.sign(c, &change, "the next fingerprint", next.Fingerprint(), grant.Approves)
		if err != nil {
			return err
		}
		_, err = io.WriteString(c.OutOrStdout(), signature)
		return err
	})
	f.flags(c)
	c.Flags().StringVar(&log, "log-public", "", "the public key of the signer's log, if the signer is not reached")
	c.Flags().Int64Var(&entry, "entry", 0, "what its health says in \"changed\", likewise")
	return c
}

func (f *approving) run(c *cobra.Command, args []string) error {
	id := args[0]
	if f.signature != "" {
		text, err := os.ReadFile(f.signature)
		if err != nil {
			return err
		}
		return f.handIn(c, id, string(text))
	}
	g, err := f.grant(c, id)
	if err != nil {
		return err
	}
	verdict := grant.Approves
	if f.deny {
		verdict = grant.Denies
	}
	signature, err := f.sign(c, g, "the grant", g.ID, verdict)
	if err != nil {
		return err
	}
	if f.from != "" {
		_, err := io.WriteString(c.OutOrStdout(), signature)
		return err
	}
	return f.handIn(c, id, signature)
}

// handIn gives a signature to the signer, and shows what became of the grant.
func (f *approving) handIn(c *cobra.Command, id, signature string) error {
	after, err := on(c).Decide(c.Context(), id, signature)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %s, approved by %d of %d\n",
		id, after.State, len(after.Approved), after.Grant.Needs)
	return err
}

// grant reads the grant with an ID, from the signer or a file.
func (f *approving) grant(c *cobra.Command, id string) (*grant.Grant, error) {
	var all []protocol.Grant
	var err error
	if f.from == "" {
		all, err = on(c).Grants(c.Context())
	} else {
		var text []byte
		if text, err = os.ReadFile(f.from); err == nil {
			err = json.Unmarshal(text, &all)
		}
	}
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].Grant.ID == id {
			return &all[i].Grant, nil
		}
	}
	return nil, fmt.Errorf("there is no grant %q that waits", id)
}

// text has a text that approvers sign.
type text interface {
	Text() string
	Sign(ssh.Signer, grant.Verdict) (string, error)
}

// confirmed shows what is signed, as this machine renders it, and asks for the beginning of its name:
// a yes is typed before anything was read.
func confirmed(c *cobra.Command, t text, what, name string, v grant.Verdict) error {
	const digits = 6
	if len(name) < digits {
		return fmt.Errorf("%q is too short a name", name)
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s\nType the first %d digits of %s to sign that you %s this: ",
		t.Text(), digits, what, map[grant.Verdict]string{grant.Approves: "approve", grant.Denies: "deny"}[v])
	line, err := bufio.NewReader(c.InOrStdin()).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if strings.TrimSpace(line) != name[:digits] {
		return errors.New("nothing was signed")
	}
	return nil
}

// sign asks the approver, and has the agent sign: with the only ed25519 key that it holds, or the one
// that --key names.
func (f *approving) sign(c *cobra.Command, t text, what, name string, v grant.Verdict) (string, error) {
	if err := confirmed(c, t, what, name, v); err != nil {
		return "", err
	}
	wanted := ""
	if f.key != "" {
		line, err := os.ReadFile(f.key)
		if err != nil {
			return "", err
		}
		key, err := grant.ParseKey(string(line))
		if err != nil {
			return "", err
		}
		wanted = string(key.Marshal())
	}
	conn, err := new(net.Dialer).DialContext(c.Context(), "unix", f.agent)
	if err != nil {
		return "", fmt.Errorf("the agent, see --agent: %w", err)
	}
	defer conn.Close()
	held, err := agent.NewClient(conn).Signers()
	if err != nil {
		return "", fmt.Errorf("the agent: %w", err)
	}
	var keys []ssh.Signer
	for _, key := range held {
		public := key.PublicKey()
		if public.Type() == ssh.KeyAlgoED25519 && (wanted == "" || string(public.Marshal()) == wanted) {
			keys = append(keys, key)
		}
	}
	if len(keys) != 1 {
		return "", fmt.Errorf("the agent holds %d such ed25519 keys, see --key", len(keys))
	}
	return t.Sign(keys[0], v)
}
