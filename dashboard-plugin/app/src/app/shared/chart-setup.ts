/** Chart.js with only what we draw; loaded with the first chart. */

import {
  Chart,
  LineController,
  LineElement,
  LinearScale,
  LogarithmicScale,
  PointElement,
} from 'chart.js';

Chart.register(LineController, LineElement, LinearScale, LogarithmicScale, PointElement);

export { Chart };
