"""The options of RBD loads: read by planning/rbd, keys of profiles too."""

from ...common.option import Option, Options
from ...planning.rbd.shape import IMAGES_MAX, RATE_MAX

FIO, BENCH = CLIENTS = ('fio', 'bench')

RBD_CLIENT = Option(
    'rbd_client',
    str,
    'RBD: fio, or bench: rbd bench, without percentiles',
    default=FIO,
    choices=CLIENTS,
)

SHAPE: Options = (
    Option(
        'images',
        int,
        'RBD: images, each with a process of its own',
        default='as many as --clients',
        least=1,
        most=IMAGES_MAX,
    ),
    Option('image_size', str, 'RBD: bytes of each image, as 10G'),
    Option(
        'read_share',
        int,
        'RBD: percent of reads in a mix',
        default='70',
        least=1,
        most=99,
        unit='percent',
    ),
    Option('rbd_object_size', str, 'RBD: bytes of objects', default='4M'),
    Option(
        'rbd_read_size',
        str,
        'RBD: bytes of a read of a mix, as 4K',
        default='that of --size',
    ),
    Option(
        'rbd_write_size',
        str,
        'RBD: bytes of a write of a mix, as 8K',
        default='that of --size',
    ),
    Option(
        'random_share',
        int,
        'RBD: percent of random operations at random places',
        default='100',
        least=1,
        most=100,
        unit='percent',
    ),
    Option(
        'rbd_distribution',
        str,
        'RBD: uniform, zipf:1.1 or pareto:0.2',
        default='uniform',
    ),
    Option(
        'rbd_compress',
        int,
        'RBD: percent by which written data compresses',
        default='0',
        least=0,
        most=99,
        unit='percent',
    ),
    Option(
        'rbd_rate',
        float,
        'RBD: operations per second at most',
        least=1,
        most=RATE_MAX,
        unit='operations per second',
    ),
    Option(
        'rbd_encryption',
        str,
        'RBD: by the client, none or luks2',
        default='none',
    ),
)

OPTIONS: Options = (RBD_CLIENT, *SHAPE)
