package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// oldDatabase is a folder as a backend left it that kept its users' keys: alice's and bob's. Only the
// seal has a key of the database.
func oldDatabase(t *testing.T, password string) (folder string, seeds map[string][]byte, kept map[string]string) {
	t.Helper()
	folder = t.TempDir()
	master, err := masterKey(&settings.Settings{}, folder)
	require.NoError(t, err)
	raw, err := base64.StdEncoding.DecodeString(master.Reveal())
	require.NoError(t, err)
	block, err := aes.NewCipher(raw)
	require.NoError(t, err)
	seal, err := cipher.NewGCMWithRandomNonce(block)
	require.NoError(t, err)
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	require.NoError(t, err)
	db, err := store.Open(t.Context(), databaseOf(folder))
	require.NoError(t, err)
	defer db.Close()
	seeds, kept = map[string][]byte{}, map[string]string{}
	for _, name := range demo.Names {
		seeds[name] = bytes.Repeat([]byte("secret of "+name), 4)[:32]
		key, err := signing.NewLocalKeyFromSeed(seeds[name])
		require.NoError(t, err)
		address, sealed := key.PublicKey().String(), seal.Seal(nil, nil, seeds[name], []byte("key of user id of "+name))
		require.NoError(t, db.AddUser(t.Context(), store.User{ID: "id of " + name, Name: name, Password: string(hash), Address: address}))
		kept[name] = base64.StdEncoding.EncodeToString(sealed)
		alter(t, folder, `INSERT INTO keys (user_id, address, sealed) VALUES ($1, $2, $3)`, "id of "+name, address, kept[name])
	}
	return folder, seeds, kept
}

// alter changes the database of a folder as another program does.
func alter(t *testing.T, folder, statement string, arguments ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+databaseOf(folder).Path)
	require.NoError(t, err)
	defer db.Close() // which ends the log of writes, if nobody else has it open
	_, err = db.ExecContext(t.Context(), statement, arguments...)
	require.NoError(t, err)
}

// imports takes in at most so many keys of an export.
func (x *testSigner) imports(t *testing.T, exported []byte, identity age.Identity, most int) (taken int) {
	t.Helper()
	plain, err := age.Decrypt(bytes.NewReader(exported), identity)
	require.NoError(t, err)
	for lines := json.NewDecoder(plain); taken < most; taken++ {
		var k signer.ImportedKey
		if err := lines.Decode(&k); errors.Is(err, io.EOF) {
			return taken
		}
		require.NoError(t, err)
		_, err := x.ImportOwner(t.Context(), demo.Template, k)
		require.NoError(t, err)
	}
	return taken
}

// TestKeysMoveToTheSigner: the keys of an old database are exported, imported and deleted, each step as
// often as it takes; none is deleted that the signer does not have. Until then the server does not start.
func TestKeysMoveToTheSigner(t *testing.T) {
	folder, seeds, sealed := oldDatabase(t, "a password")
	box, s, err := demo.Start(sandbox.Config{InstantConfirmation: true, NoLimits: true}, "127.0.0.1:1")
	require.NoError(t, err)
	t.Cleanup(box.Close)
	x := startSigner(t, box, s)
	command := func(arguments ...string) (string, error) {
		var out bytes.Buffer
		err := run(t.Context(), arguments, &out, io.Discard)
		return out.String(), err
	}
	start := func() (*backend, error) {
		return newBackend(t.Context(), options{data: folder, signer: x.socket, template: demo.Template, demo: true}, s, newLog(io.Discard))
	}
	_, err = start()
	require.ErrorContains(t, err, "the database has the keys of 2 users: move them to the signer")
	forget := []string{"forget-keys", "-data", folder, "-signer", x.socket}
	out, err := command(forget...)
	require.ErrorContains(t, err, "2 keys stay")
	require.Equal(t, "deleted 0 keys\n", out)

	require.True(t, strings.Contains(readAll(t, folder, "walletbackend.db*"), sealed["bob"]))
	identity, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	export := []string{"export-keys", "-data", folder, "-recipient", identity.Recipient().String()}
	first, err := command(export...)
	require.NoError(t, err)
	require.Equal(t, 1, x.imports(t, []byte(first), identity, 1), "and then it was killed")
	out, err = command(forget...)
	require.ErrorContains(t, err, "1 keys stay")
	require.Equal(t, "deleted 1 keys\n", out)
	require.Equal(t, 2, x.imports(t, []byte(first), identity, 9), "the same file once more")
	_, err = command(forget...)
	require.NoError(t, err)
	require.False(t, strings.Contains(readAll(t, folder, "walletbackend.db*"), sealed["bob"]), "nor is it in a page that is free")
	health, err := x.Health(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, health.Elsewhere)

	b, err := start()
	require.NoError(t, err)
	b.close()
	for _, name := range demo.Names {
		key, err := signing.NewLocalKeyFromSeed(seeds[name])
		require.NoError(t, err)
		require.Contains(t, x.Policy().Words(), `Owner "id of `+name+`" signs with `+key.PublicKey().String()+".")
	}
}

// TestKeysThatCannotMove: of a key that is not the user's nothing is written.
func TestKeysThatCannotMove(t *testing.T) {
	identity, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	export := func(folder string) error {
		return run(t.Context(), []string{"export-keys", "-data", folder, "-recipient", identity.Recipient().String()}, io.Discard, io.Discard)
	}
	for statement, text := range map[string]string{
		`UPDATE keys SET address = 'another'`:                                            "is not that of another",
		`UPDATE keys SET sealed = (SELECT sealed FROM keys WHERE user_id = 'id of bob')`: "the key of user id of alice cannot be decrypted",
		`UPDATE keys SET sealed = '%'`:                                                   "illegal base64",
	} {
		folder, _, _ := oldDatabase(t, "a password")
		require.NoError(t, export(folder))
		alter(t, folder, statement)
		require.ErrorContains(t, export(folder), text)
	}
	folder, _, _ := oldDatabase(t, "a password")
	other, err := os.ReadFile(filepath.Join(folder, "master.key"))
	require.NoError(t, err)
	folder, _, _ = oldDatabase(t, "a password")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "master.key"), other, 0o600))
	require.ErrorContains(t, export(folder), "cannot be decrypted: another master key")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "master.key"), []byte("c2hvcnQ="), 0o600))
	require.Error(t, export(folder))
	for _, arguments := range [][]string{{exportKeys}, {exportKeys, "-data", folder}, {forgetKeys, "-data", folder, "-recipient", "x"}} {
		require.ErrorContains(t, run(t.Context(), arguments, io.Discard, io.Discard), "export-keys takes -data and -recipient")
	}
}
