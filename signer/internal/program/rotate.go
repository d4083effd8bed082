package program

import (
	"crypto/ed25519"
	"fmt"

	"filippo.io/age"
	"github.com/spf13/cobra"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// rotating are the flags of rotate.
type rotating struct {
	policy, name, key, path, recipient string
}

func newRotate() *cobra.Command {
	var f rotating
	const short = "Make an owner's next key, and print the policy by which the old one is swept to it"
	c := newCommand("rotate OWNER", short, cobra.ExactArgs(1), func(c *cobra.Command, args []string) error {
		policy, err := signer.LoadPolicy(f.policy)
		if err != nil {
			return err
		}
		if f.name == "" {
			f.name = args[0] + "-2"
		}
		key, err := f.made(policy, args[0])
		if err != nil {
			return err
		}
		text, err := policy.Rotate(args[0], f.name, key)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.ErrOrStderr(), "owner %q has the key %s\n", f.name, key)
		_, err = fmt.Fprint(c.OutOrStdout(), text)
		return err
	})
	c.Flags().StringVar(&f.policy, "policy", "policy.toml", "the policy that is in force")
	c.Flags().StringVar(&f.name, "name", "", "the name of the owner with the next key, by default OWNER-2")
	c.Flags().StringVar(&f.path, "age-key", "", "the file to write the next key to")
	c.Flags().StringVar(&f.recipient, "recipient", "", "the age recipient that the key is encrypted for")
	c.Flags().StringVar(&f.key, "key", "", "the address of a key that is there, such as in a token, in place of a new one")
	return c
}

// made makes the key, once it is known that the policy can be changed to have it.
func (f *rotating) made(policy *signer.Policy, owner string) (signing.PublicKey, error) {
	if f.key != "" {
		return signing.ParsePublicKey(f.key)
	}
	public, _, err := ed25519.GenerateKey(nil) // any one, to try
	if err != nil {
		return signing.PublicKey{}, err
	}
	if _, err := policy.Rotate(owner, f.name, signing.PublicKey(public)); err != nil {
		return signing.PublicKey{}, err
	}
	to, err := age.ParseX25519Recipient(f.recipient)
	if err != nil {
		return signing.PublicKey{}, err
	}
	return signer.WriteAgeKey(f.path, to)
}
