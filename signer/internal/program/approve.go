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
	const socket = "the socket of the agent that holds the approver's key"
	c.Flags().StringVar(&f.agent, "agent", os.Getenv("SSH_AUTH_SOCK"), socket)
	c.Flags().StringVar(&f.key, "key", "", "the .pub file of the approver's key, if the agent holds several")
	c.Flags().BoolVar(&f.deny, "deny", false, "deny it")
	const from = "read it from a file that grants wrote, and print the signature: the signer is not asked"
	c.Flags().StringVar(&f.from, "from", "", from)
	c.Flags().StringVar(&f.signature, "signature", "", "hand in a signature that --from printed, from a file")
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
	if err := f.confirmed(c, g, verdict); err != nil {
		return err
	}
	signature, err := f.sign(c, g, verdict)
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

// confirmed shows what is signed, as this machine renders it, and asks for the beginning of the
// grant's ID: a yes is typed before anything was read.
func (f *approving) confirmed(c *cobra.Command, g *grant.Grant, v grant.Verdict) error {
	const digits = 6
	if len(g.ID) < digits {
		return fmt.Errorf("grant %q has too short an ID", g.ID)
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s\nType the first %d digits of the grant to sign that you %s this: ",
		g.Text(), digits, map[grant.Verdict]string{grant.Approves: "approve", grant.Denies: "deny"}[v])
	line, err := bufio.NewReader(c.InOrStdin()).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if strings.TrimSpace(line) != g.ID[:digits] {
		return errors.New("nothing was signed")
	}
	return nil
}

// sign has the agent sign, with the only ed25519 key that it holds or the one that --key names.
func (f *approving) sign(c *cobra.Command, g *grant.Grant, v grant.Verdict) (string, error) {
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
	return g.Sign(keys[0], v)
}
