import dataclasses

from ...model.manifest import Manifest


def test_manifest_survives_its_dict():
    manifest = Manifest(
        client_host='c1',
        client_local_osds=(),
        osds=3,
        hosts=('a', 'b'),
        fill=0.25,
        rotational=(False, True),
        emulated=True,
        settings={'osd_mclock_profile': 'balanced'},
        ec_profile='',
    )
    data = manifest.to_dict()
    assert data['hosts'] == ['a', 'b']
    assert 'client_arch' not in data
    assert Manifest.from_dict(data) == manifest


def test_every_key_can_be_read_back():
    examples = {
        'str': 'x',
        'int': 3,
        'float': 0.5,
        'bool': True,
    }
    for field in dataclasses.fields(Manifest):
        hint = str(field.type)
        kind = next(k for k in examples if k in hint.split('[', 1)[1])
        value = examples[kind]
        if 'Tuple' in hint:
            value = (value,)
        elif hint.count('Dict') == 2:
            value = {'a': {'b': 3}}
        elif 'Dict' in hint:
            value = {'a': 'b'}
        manifest = Manifest.from_dict({field.name: value})
        assert getattr(manifest, field.name) == value
        assert Manifest.from_dict(manifest.to_dict()) == manifest


def test_scalar_stands_for_a_tuple_of_one():
    found = Manifest.from_dict({'arch': 'aarch64', 'cores': [8, 4, 8]})
    assert found.arch == ('aarch64',)
    assert found.cores == (4, 8)


def test_unknown_keys_and_wrong_types_count_as_not_recorded():
    found = Manifest.from_dict(
        {
            'of_the_future': 1,
            'osds': 'three',
            'pg_num': True,
            'fill': None,
            'hosts': [1, 2],
            'client_host': ['c1'],
            'settings': 'none',
            'cpu': {'0': 'x'},
            'pgs_per_osd': 32,
        }
    )
    assert found == Manifest(pgs_per_osd=32.0)
