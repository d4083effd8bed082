package program

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"filippo.io/age"
	"github.com/spf13/cobra"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// newCommand makes one without subcommands.
func newCommand(use, short string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: run}
}

func newInit() *cobra.Command {
	var logKey, key, recipient, of, nodes string
	const short = "Make the log's key, and a key for an owner; or list what a key had allowed before"
	c := newCommand("init", short, cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		if of != "" {
			return standing(c, of, nodes)
		}
		public, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			return err
		}
		file, err := os.OpenFile(logKey, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(file, "%x\n", private.Seed())
		if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "log key %x\n", []byte(public))
		wrote := fmt.Sprintf("wrote %s, the key that signs the log\n", logKey)
		if key == "" {
			fmt.Fprint(c.OutOrStdout(), wrote)
			return nil
		}
		to, err := age.ParseX25519Recipient(recipient)
		if err != nil {
			return err
		}
		owner, err := signer.WriteAgeKey(key, to)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "owner %s\n%swrote %s, its key for %s to decrypt\n", owner, wrote, key, recipient)
		return nil
	})
	c.Flags().StringVar(&logKey, "log-key", "log.key", "the file to write the log's key to")
	c.Flags().StringVar(&key, "age-key", "", "the file to write a new key of an owner to; empty makes none")
	c.Flags().StringVar(&recipient, "recipient", "", "the age recipient that the key is encrypted for")
	c.Flags().StringVar(&of, "of", "", "an address of which to list nonces, delegates, close authorities and multisigs")
	c.Flags().StringVar(&nodes, "nodes", "nodes.txt", "the file with the URLs of the nodes to ask for that")
	return c
}

// standing lists what each node knows of a key. One that does not list all is an error.
func standing(c *cobra.Command, of, path string) error {
	key, err := signing.ParsePublicKey(of)
	if err != nil {
		return err
	}
	nodes, err := readNodes(path)
	if err != nil {
		return err
	}
	told, failed := map[string]bool{}, []error{}
	for _, n := range nodes {
		lines, err := signer.Standing(c.Context(), n.(*rpcnode.Client), key)
		failed = append(failed, err)
		for _, line := range lines {
			if !told[line] {
				fmt.Fprintln(c.OutOrStdout(), line)
			}
			told[line] = true
		}
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "%d standing permissions of %s, by %d nodes\n", len(told), key, len(nodes))
	return nil
}

func newCheckPolicy() *cobra.Command {
	const short = "Say what a policy allows, or what the next one changes"
	return newCommand("check-policy FILE [NEXT]", short, cobra.RangeArgs(1, 2),
		func(c *cobra.Command, files []string) error {
			p, err := signer.LoadPolicy(files[0])
			if err != nil {
				return err
			}
			lines := p.Words()
			if len(files) == 2 {
				next, err := signer.LoadPolicy(files[1])
				if err != nil {
					return err
				}
				lines, p = p.Diff(next), next
			}
			for _, line := range append(lines, "fingerprint "+p.Fingerprint()) {
				fmt.Fprintln(c.OutOrStdout(), line)
			}
			return nil
		})
}

func newPolicy() *cobra.Command {
	var margin int64
	var days int
	suggest := newCommand("suggest FILE", "Propose a policy from the log of a signer whose policy FILE has report_only",
		cobra.ExactArgs(1), func(c *cobra.Command, files []string) error {
			p, err := signer.LoadPolicy(files[0])
			if err != nil {
				return err
			}
			var log []signer.Entry
			err = on(c).Log(c.Context(), func(text json.RawMessage) error {
				var e signer.Entry
				err := json.Unmarshal(text, &e)
				if time.Since(e.At) < time.Duration(days)*24*time.Hour {
					log = append(log, e)
				}
				return err
			})
			if err != nil {
				return err
			}
			text, err := p.Suggest(log, margin)
			fmt.Fprint(c.OutOrStdout(), text)
			return err
		})
	suggest.Flags().Int64Var(&margin, "margin", 20, "how many percent the ceilings are above what was seen")
	suggest.Flags().IntVar(&days, "days", 7, "how many days of the log to read")
	c := &cobra.Command{Use: "policy", Short: "Write a policy"}
	c.AddCommand(suggest)
	return c
}

func newJudge() *cobra.Command {
	const short = "Say whether a request would be signed; it is read as JSON and counts nothing"
	return newCommand("judge", short, cobra.NoArgs,
		func(c *cobra.Command, _ []string) error {
			var r protocol.Request
			if err := json.NewDecoder(io.LimitReader(c.InOrStdin(), protocol.MaxBody)).Decode(&r); err != nil {
				return err
			}
			decision, err := on(c).Judge(c.Context(), signing.SetRequest(r))
			return show(c, decision, err)
		})
}

// on is a client of the signer that the command line names.
func on(c *cobra.Command) *client.Client { return client.Connect(c.Flag("socket").Value.String()) }

func newSwitch(verb, short string) *cobra.Command {
	var reason, mode string
	c := newCommand(verb, short, cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		switch verb {
		case "thaw":
			var was signer.Health
			if err := on(c).Get(c.Context(), protocol.PathHealth, &was); err != nil {
				return err
			}
			for _, key := range was.Frozen {
				fmt.Fprintf(c.OutOrStdout(), "owner %s was frozen, and signs again\n", key)
			}
			return on(c).Thaw(c.Context(), reason)
		case "beat":
			return on(c).Beat(c.Context())
		}
		live, err := on(c).Freeze(c.Context(), mode, reason)
		return show(c, live, err)
	})
	if verb != "beat" {
		c.Flags().StringVar(&reason, "reason", "", "why, for the log")
	}
	if verb == "freeze" {
		c.Flags().StringVar(&mode, "mode", "frozen", "frozen, or exit: only what goes to the rescue addresses is signed")
	}
	return c
}

func newShow(what, short string) *cobra.Command {
	return newCommand(what, short, cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		if what == "log" {
			return on(c).Log(c.Context(), func(entry json.RawMessage) error {
				_, err := fmt.Fprintf(c.OutOrStdout(), "%s\n", entry)
				return err
			})
		}
		var answer json.RawMessage
		err := on(c).Get(c.Context(), "/v1/"+what, &answer)
		return show(c, answer, err)
	})
}

func newAudit(backends []Backend) *cobra.Command {
	var store, anchor, logKey string
	verify := newCommand("verify", "Check that the log and the debits are as they were written", cobra.NoArgs,
		func(c *cobra.Command, _ []string) error {
			key, err := parsePublic(logKey)
			if err != nil {
				return err
			}
			db, err := shared(c.Context(), backends)
			if err != nil {
				return err
			}
			audit := func() (int64, error) { return signer.Audit(c.Context(), store, anchor, key) }
			if db != nil {
				defer db.Close()
				audit = func() (int64, error) { return signer.AuditShared(c.Context(), db, anchor, key) }
			}
			entries, err := audit()
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "entries=%d altered=0\n", entries)
			return nil
		})
	verify.Flags().StringVar(&store, "store", "signer.db", "the store, which no signer has open")
	verify.Flags().StringVar(&anchor, "anchor", "signer.anchor", "the log's anchor")
	verify.Flags().StringVar(&logKey, "log-public", "", "the public key of the log, in hexadecimal")
	for _, b := range backends {
		if has, ok := b.(Database); ok {
			has.Flags(verify.Flags())
		}
	}
	c := &cobra.Command{Use: "audit", Short: "Check the log"}
	c.AddCommand(verify)
	return c
}

func parsePublic(logKey string) (ed25519.PublicKey, error) {
	key, err := hex.DecodeString(logKey)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("--log-public is the key that init printed")
	}
	return key, nil
}

// show prints an answer if there is no error.
func show(c *cobra.Command, answer json.RawMessage, err error) error {
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", text)
	return err
}
