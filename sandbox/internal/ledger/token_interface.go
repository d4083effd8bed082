package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"
)

// The errors of the interfaces for metadata and for groups within a mint.
var (
	metadataMintAuthority = Custom(901_952_959)
	metadataAuthority     = Custom(901_952_960)
	metadataImmutable     = Custom(901_952_961)
	metadataNoKey         = Custom(901_952_962)
	groupTooSmall         = Custom(3_406_457_176)
	groupFull             = Custom(3_406_457_177)
	groupImmutable        = Custom(3_406_457_178)
	groupMintAuthority    = Custom(3_406_457_179)
	groupAuthority        = Custom(3_406_457_180)
	groupSelf             = Custom(3_406_457_181)
)

// interfaces are the instructions of the two, by the first eight bytes of the hash of their name, with
// what each uses, in units.
var interfaces = map[string]interfaceInstruction{}

type interfaceInstruction struct {
	units uint64
	usual int    // how many accounts it needs
	of    string // and its name, in the log
	name  string
	f     func(x *Invocation, r *reader)
}

func init() {
	for name, run := range map[string]interfaceInstruction{
		"spl_token_metadata_interface:initialize_account":   {3457, 4, "Metadata", "Initialize", metadataInitialize},
		"spl_token_metadata_interface:updating_field":       {4200, 2, "Metadata", "UpdateField", metadataUpdate},
		"spl_token_metadata_interface:remove_key_ix":        {3820, 2, "Metadata", "RemoveKey", metadataRemove},
		"spl_token_metadata_interface:update_the_authority": {3630, 2, "Metadata", "UpdateAuthority", metadataAuthorize},
		"spl_token_metadata_interface:emitter":              {992, 1, "Metadata", "Emit", metadataEmit},
		"spl_token_group_interface:initialize_token_group":  {2169, 3, "Group", "InitializeGroup", groupInitialize},
		"spl_token_group_interface:update_group_max_size":   {1093, 2, "Group", "UpdateGroupMaxSize", groupResize},
		"spl_token_group_interface:update_authority":        {1104, 2, "Group", "UpdateGroupAuthority", groupAuthorize},
		"spl_token_group_interface:initialize_member":       {2987, 5, "Group", "InitializeMember", groupMember},
	} {
		hash := sha256.Sum256([]byte(name))
		interfaces[string(hash[:8])] = run
	}
}

// interfaceUnits returns the units of an instruction by name. Data that names no instruction costs
// units too.
func interfaceUnits(data []byte) uint64 {
	if len(data) >= 8 {
		if run, ok := interfaces[string(data[:8])]; ok {
			return run.units
		}
	}
	return 1290
}

// runInterface carries out an instruction of an interface, which has a name instead of a number.
func (x *Invocation) runInterface() {
	FailIf(len(x.Data) < 8, tokenInvalid)
	run, ok := interfaces[string(x.Data[:8])]
	FailIf(!ok, tokenInvalid)
	x.Log("Token" + run.of + "Instruction: " + run.name)
	x.spendMore(run.usual)
	run.f(x, &reader{rest: x.Data[8:], short: tokenUnread})
}

// metadata holds the texts by which an extension describes its mint, then pairs of more texts.
type metadata struct {
	authority, mint solana.PublicKey
	texts           [3]string
	more            [][2]string
}

// heapSize is the memory of a program, in bytes. A text that is said to be longer ends the program.
const heapSize = 32 << 10

func (r *reader) text() string {
	n := int(r.uint32())
	FailIf(n > heapSize, tokenNoMemory)
	b := r.bytes(n)
	FailIf(!utf8.Valid(b), r.short)
	return string(b)
}

func readMetadata(value []byte) (d metadata) {
	r := &reader{rest: value, short: errAccountData}
	d.authority, d.mint = r.array32(), r.array32()
	for i := range d.texts {
		d.texts[i] = r.text()
	}
	for range r.uint32() {
		d.more = append(d.more, [2]string{r.text(), r.text()})
	}
	return d
}

func (d metadata) bytes() []byte {
	b := slices.Concat(d.authority[:], d.mint[:])
	text := func(t string) { b = append(binary.LittleEndian.AppendUint32(b, uint32(len(t))), t...) }
	for _, t := range d.texts {
		text(t)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(d.more)))
	for _, pair := range d.more {
		text(pair[0])
		text(pair[1])
	}
	return b
}

// whole refuses data with more in it than the instruction.
func (r *reader) whole() { FailIf(len(r.rest) > 0, r.short) }

// described checks what comes before an extension of the kind that describes a mint itself: the
// first account is the mint, whose authority signs.
func (x *Invocation) described(what string, mint, authority int, pointer uint16, wrong *InstructionError) {
	x.failLogging(x.key(0) != x.key(mint), tokenMintMismatch,
		what+" for a mint must be initialized in the mint itself.")
	x.owned(mint)
	m := x.mint(mint)
	FailIf(!x.Accounts[authority].Signer, ErrSigner)
	k, ok := m.Authority()
	FailIf(!ok || k != x.key(authority), wrong)
	FailIf(extension(m, pointer) == nil, tokenCombination)
}

// metadataInitialize has the accounts metadata, update authority, mint, mint authority.
func metadataInitialize(x *Invocation, r *reader) {
	d := metadata{texts: [3]string{r.text(), r.text(), r.text()}}
	r.whole()
	x.need(4)
	x.described("Metadata", 2, 3, extensionMetadataPointer, metadataMintAuthority)
	FailIf(extension(x.at(0).Data, extensionMetadata) != nil, tokenExtensionTwice)
	d.authority, d.mint = x.key(1), x.key(2)
	x.write(0).putExtension(extensionMetadata, d.bytes())
}

// changeMetadata has the accounts metadata, update authority.
func (x *Invocation) changeMetadata(change func(d *metadata)) {
	x.need(2)
	x.owned(0)
	d := readMetadata(needExtension(x.mint(0), extensionMetadata))
	x.updateAuthority(1, d.authority[:], metadataImmutable, metadataAuthority)
	change(&d)
	x.write(0).putExtension(extensionMetadata, d.bytes())
}

func (x *Invocation) updateAuthority(i int, expected []byte, none, wrong *InstructionError) {
	FailIf(!x.Accounts[i].Signer, ErrSigner)
	FailIf(zeroed(expected), none)
	FailIf(!bytes.Equal(expected, x.Accounts[i].Key[:]), wrong)
}

func metadataUpdate(x *Invocation, r *reader) {
	field, key := r.byte(), ""
	FailIf(field > 3, r.short)
	if field == 3 {
		key = r.text()
	}
	value := r.text()
	r.whole()
	x.changeMetadata(func(d *metadata) {
		if field < 3 {
			d.texts[field] = value
			return
		}
		at := slices.IndexFunc(d.more, func(p [2]string) bool { return p[0] == key })
		if at < 0 {
			d.more = append(d.more, [2]string{key, value})
			return
		}
		x.spend(fieldUnits)
		d.more[at][1] = value
	})
}

func metadataRemove(x *Invocation, r *reader) {
	lenient, key := r.byte(), r.text()
	FailIf(lenient > 1, r.short)
	r.whole()
	x.changeMetadata(func(d *metadata) {
		at := slices.IndexFunc(d.more, func(p [2]string) bool { return p[0] == key })
		FailIf(at < 0 && lenient == 0, metadataNoKey)
		if at >= 0 {
			d.more = slices.Delete(d.more, at, at+1)
		}
	})
}

func metadataAuthorize(x *Invocation, r *reader) {
	next := solana.PublicKey(r.array32())
	r.whole()
	x.changeMetadata(func(d *metadata) { d.authority = next })
}

func metadataEmit(x *Invocation, r *reader) {
	start, end := uint64(0), uint64(math.MaxUint64)
	for _, at := range []*uint64{&start, &end} {
		if some := r.byte(); some == 1 {
			*at = r.uint64()
		} else {
			FailIf(some > 1, r.short)
		}
	}
	r.whole()
	x.need(1)
	x.owned(0)
	value := needExtension(x.mint(0), extensionMetadata)
	from, to := min(start, uint64(len(value))), min(end, uint64(len(value)))
	if from < to {
		x.returned = slices.Clone(value[from:to])
	}
}

// groupInitialize has the accounts group, mint, mint authority. A group is its authority, its
// mint, its size and the most it may be.
func groupInitialize(x *Invocation, r *reader) {
	authority, most := r.array32(), r.fixed(8)
	r.whole()
	x.need(3)
	x.described("Group configurations", 1, 2, extensionGroupPointer, groupMintAuthority)
	FailIf(extension(x.at(0).Data, extensionGroup) != nil, tokenExtensionTwice)
	mint := x.key(1)
	x.write(0).putExtension(extensionGroup, slices.Concat(authority[:], mint[:], make([]byte, 8), most))
}

// group returns the i-th account's group, whose authority, the one after it, signs.
func (x *Invocation) group(i int) []byte {
	x.need(i + 2)
	x.owned(i)
	g := needExtension(x.mint(i), extensionGroup)
	x.updateAuthority(i+1, g[:32], groupImmutable, groupAuthority)
	return g
}

func groupResize(x *Invocation, r *reader) {
	most := r.uint64()
	r.whole()
	g := x.group(0)
	FailIf(most < getUint64(g[64:]), groupTooSmall)
	putUint64(g[72:], most)
}

func groupAuthorize(x *Invocation, r *reader) {
	next := r.array32()
	r.whole()
	copy(x.group(0), next[:])
}

// groupMember has the accounts member, member mint, mint authority, group, group's authority.
func groupMember(x *Invocation, r *reader) {
	r.whole()
	x.need(5)
	x.owned(3)
	x.described("Group member configurations", 1, 2, extensionMemberPointer, groupMintAuthority)
	FailIf(x.key(0) == x.key(3), groupSelf)
	g := x.group(3)
	size := getUint64(g[64:]) + 1
	FailIf(size > getUint64(g[72:]), groupFull)
	putUint64(g[64:], size)
	FailIf(extension(x.at(0).Data, extensionMember) != nil, tokenExtensionTwice)
	mint, group := x.key(1), x.key(3)
	number := binary.LittleEndian.AppendUint64(nil, size)
	x.write(0).putExtension(extensionMember, slices.Concat(mint[:], group[:], number))
}
